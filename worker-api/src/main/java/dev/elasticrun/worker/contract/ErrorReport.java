/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Objects;

/**
 * Why a worker ends: the file that {@code ELASTIC_ERROR_FILE} names. A program in any language may write it; all that it
 * must hold is a {@code message}.
 *
 * @param message the exception in one line
 * @param stack the full trace; empty = not given
 * @param thread name of the thread that failed; empty = not given
 * @param timestamp wall clock of the worker, for display only; {@link Instant#EPOCH} = not given
 * @param round the newest round the worker had received; 0 = none yet, or not given
 */
public record ErrorReport(String message, String stack, String thread, Instant timestamp, long round) {
    /** A larger file is not read. */
    public static final int MAX_BYTES = 1 << 20;

    // Characters; each can take six bytes in the file.
    private static final int MAX_MESSAGE = 20_000;
    private static final int MAX_STACK = 100_000;

    public ErrorReport {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(stack, "stack");
        Objects.requireNonNull(thread, "thread");
        Objects.requireNonNull(timestamp, "timestamp");
    }

    /** A message or a stack that is too long for the file is cut. */
    public static ErrorReport of(Throwable failure, String thread, Instant timestamp, long round) {
        StringWriter stack = new StringWriter();
        failure.printStackTrace(new PrintWriter(stack));
        return new ErrorReport(
                cut(failure.toString(), MAX_MESSAGE), cut(stack.toString(), MAX_STACK), thread, timestamp, round);
    }

    private static String cut(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + " ...";
    }

    public byte[] encode() {
        return new JsonWriter()
                .put("version", MessageCodec.VERSION)
                .put("message", message)
                .put("stack", stack)
                .put("thread", thread)
                .put("timestamp", timestamp.toString())
                .put("round", round)
                .bytes();
    }

    /**
     * Reads what {@link #encode} writes, and both shapes that programs for torchrun write. Throws
     * IllegalArgumentException that names the field.
     */
    public static ErrorReport decode(byte[] json) {
        return ErrorShapes.decode(json);
    }

    /** A reader finds the whole report or none. */
    public void writeTo(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(temporary, encode());
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
