/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.incident.RunEvent;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is left of a run when its agents have gone: the events in its log directory. */
final class EventFiles {

    private EventFiles() {}

    /** The directory of a run below the log directory; without a name, that of the only run there. */
    static Optional<Path> find(Path logDirectory, Optional<String> runId) {
        if (runId.isPresent()) {
            Path named = logDirectory.resolve(runId.get()).normalize();
            return Optional.of(named).filter(path -> path.startsWith(logDirectory) && Files.isDirectory(path));
        }
        List<Path> runs = runs(logDirectory);
        return runs.size() == 1 ? Optional.of(runs.get(0)) : Optional.empty();
    }

    private static List<Path> runs(Path logDirectory) {
        if (!Files.isDirectory(logDirectory)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(logDirectory)) {
            return found.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look into " + logDirectory, e);
        }
    }

    /** Of the newest incarnation of the run, of all nodes whose files are here. */
    static List<RunEvent> read(Path run) {
        List<RunEvent> all = new ArrayList<>();
        try (Stream<Path> nodes = Files.list(run)) {
            for (Path node : nodes.sorted().toList()) {
                EventTail tail = new EventTail(node.resolve(LogNames.EVENTS), 0);
                if (Files.isRegularFile(node.resolve(LogNames.EVENTS), LinkOption.NOFOLLOW_LINKS)) {
                    for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
                        all.addAll(RunEvent.parseAll(new String(lines, StandardCharsets.UTF_8)));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the events in " + run, e);
        }
        return all.stream()
                .filter(event -> !event.text("incarnation").isEmpty())
                .max(Comparator.comparing(RunEvent::time))
                .map(newest -> RunEvent.ofIncarnation(newest.text("incarnation"), all))
                .orElse(all);
    }
}
