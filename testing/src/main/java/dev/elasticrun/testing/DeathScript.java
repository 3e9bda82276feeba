/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The deaths that a test scripts, and which of them have happened. Before the start one thread changes it. */
final class DeathScript {
    private final Path records;
    private final List<Death> deaths = new ArrayList<>();

    /** @param directory of the run, which exists */
    DeathScript(Path directory) throws IOException {
        this.records = Files.createDirectory(directory.resolve("deaths"));
    }

    void add(List<Death> more) {
        deaths.addAll(more);
    }

    /** Flags with which workers of a jar find what ends them, as it is not in the jar. */
    List<String> flags() {
        return deaths.isEmpty()
                ? List.of()
                : List.of("--class-path", ScriptedDeaths.classPath().toString());
    }

    /** Variables of all workers. */
    Map<String, String> variables() {
        return deaths.isEmpty()
                ? Map.of()
                : Map.of(
                        ScriptedDeaths.DEATHS,
                        deaths.stream().map(Death::toString).collect(Collectors.joining(",")),
                        ScriptedDeaths.DIRECTORY,
                        records.toString());
    }

    /** Those that have not happened so far. */
    List<Death> missing() {
        List<String> happened = ScriptedDeaths.happened(records);
        return deaths.stream()
                .filter(death -> !happened.contains(death.toString()))
                .toList();
    }

    @Override
    public String toString() {
        return "deaths " + deaths;
    }
}
