/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What a worker hands over to its launcher: the bytes of the file, all of them. The agent reads it when the worker has
 * ended with 0.
 */
public final class ResultFile {
    /** The most bytes that a worker hands over. */
    public static final int MAX_BYTES = 64 * 1024;

    private ResultFile() {}

    /** @throws IllegalArgumentException if a worker may not hand over as many bytes */
    public static void check(long bytes) {
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("result: " + bytes + " bytes (expected: at most " + MAX_BYTES + ")");
        }
    }

    /** Replaces the file. */
    public static void write(Path file, byte[] result) throws IOException {
        check(result.length);
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(temporary, result);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
