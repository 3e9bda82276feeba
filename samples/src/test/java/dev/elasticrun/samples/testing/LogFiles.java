/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files that agents and their workers wrote below a directory.
 *
 * @param directory what the agents are given as {@code --log-dir}
 */
public record LogFiles(Path directory) {
    /** What an agent did. */
    public static final String EVENTS = "events.jsonl";
    /** What a worker printed. */
    public static final String OUTPUT = "stdout.log";
    /** What a worker printed to standard error. */
    public static final String ERRORS = "stderr.log";

    /** PLACE/RUN-ID/NODE/worker-L.A/FILE, where agents of an engine have a place of their own each. */
    private static final int DEPTH = 5;

    /** Those whose paths end with this name, in the order of their paths. */
    public List<Path> named(String name) {
        try (Stream<Path> found =
                Files.find(directory, DEPTH, (path, info) -> info.isRegularFile() && path.endsWith(name))) {
            return found.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is in them. */
    public List<String> texts(String name) {
        return named(name).stream().map(LogFiles::text).toList();
    }

    /** What is in one, whatever its bytes are. */
    public static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The events in one, as far as they are written. */
    public static List<LoggedEvent> events(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            // The last line may not be complete yet.
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(LoggedEvent::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
