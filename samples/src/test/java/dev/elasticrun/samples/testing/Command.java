/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command that is run from the project's root to its end. */
public final class Command {
    private Command() {}

    /**
     * How it ended.
     *
     * @param output of both streams
     */
    public record Result(int exitCode, String output) {
        /** What a command printed that was asked for JSON, after its notes. */
        public JsonNode json() {
            try {
                return new ObjectMapper().readTree(output.substring(Math.max(0, output.indexOf('{'))));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("output: " + output + " (expected: JSON)", e);
            }
        }
    }

    public static Result run(Map<String, String> environment, Duration limit, List<String> command) {
        try {
            Path output = Files.createTempFile("command-", ".txt");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(Project.ROOT.toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                try {
                    boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
                    String text = Files.readString(output, StandardCharsets.ISO_8859_1);
                    if (!ended) {
                        throw new IllegalStateException(
                                command + ": no end within " + limit.toSeconds() + " s; it printed:\n" + text);
                    }
                    return new Result(process.exitValue(), text);
                } finally {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
