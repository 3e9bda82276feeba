/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A study that was driven to its end.
 *
 * @param seconds wall time
 */
record TimedStudy(JsonNode results, double seconds) {
    private static final Duration LIMIT = Duration.ofMinutes(20);

    /**
     * Drives it. Blocks.
     *
     * @param place an empty directory for its files
     * @throws IllegalStateException with what it wrote, if it failed
     */
    static TimedStudy run(Path place, String yaml) throws IOException {
        Path file = Files.writeString(place.resolve("study.yaml"), yaml);
        long start = System.nanoTime();
        Command.Result result = Command.run(
                Map.of(),
                LIMIT,
                List.of(
                        Project.LAUNCHER.toString(),
                        "tune",
                        "--output",
                        place.resolve("out").toString(),
                        file.toString()));
        double seconds = (System.nanoTime() - start) / 1e9;
        if (result.exitCode() != 0) {
            throw new IllegalStateException(result.output());
        }
        return new TimedStudy(
                new ObjectMapper().readTree(place.resolve("out/results.json").toFile()), seconds);
    }
}
