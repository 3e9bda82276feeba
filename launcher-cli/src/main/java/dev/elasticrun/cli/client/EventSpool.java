/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Events that agents send, in temporary files until they are shown: a long run has more than fit into memory. Safe for
 * use by any thread.
 */
final class EventSpool implements AutoCloseable {
    private final Path directory;
    private final Map<String, Path> files = new LinkedHashMap<>();

    EventSpool() {
        try {
            this.directory = Files.createTempDirectory("elastic-run-events");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for events", e);
        }
    }

    /** @param source whose lines these are: each has a file of its own */
    synchronized void add(String source, ByteString lines) {
        Path file = files.computeIfAbsent(source, unknown -> directory.resolve(files.size() + ".jsonl"));
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            lines.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep events in " + file, e);
        }
    }

    /** By source, in the order in which they came. */
    synchronized Map<String, Path> files() {
        return new LinkedHashMap<>(files);
    }

    @Override
    public synchronized void close() {
        try {
            for (Path file : files.values()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
