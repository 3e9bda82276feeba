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
 * Why a worker ends: the file that {@code ELASTIC_ERROR_FILE} names.
 *
 * @param message the exception in one line
 * @param stack the full trace
 * @param thread name of the thread that failed
 * @param timestamp wall clock of the worker, for people
 * @param round the newest round the worker knew; 0 = none yet
 */
public record ErrorReport(String message, String stack, String thread, Instant timestamp, long round) {

    public ErrorReport {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(stack, "stack");
        Objects.requireNonNull(thread, "thread");
        Objects.requireNonNull(timestamp, "timestamp");
    }

    public static ErrorReport of(Throwable failure, String thread, Instant timestamp, long round) {
        StringWriter stack = new StringWriter();
        failure.printStackTrace(new PrintWriter(stack));
        return new ErrorReport(failure.toString(), stack.toString(), thread, timestamp, round);
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

    /** Throws IllegalArgumentException that names the field. */
    public static ErrorReport decode(byte[] json) {
        JsonFields fields = JsonFields.parse(json);
        fields.requireVersion(MessageCodec.VERSION);
        return new ErrorReport(
                fields.string("message"),
                fields.string("stack"),
                fields.string("thread"),
                fields.instant("timestamp"),
                fields.integer("round"));
    }

    /** A reader finds the whole report or none. */
    public void writeTo(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(temporary, encode());
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
