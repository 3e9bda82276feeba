/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A destination for lines of a log.
 *
 * @param prefix what each line begins with, called for each line: a rank may change
 * @param enabled whether lines that are read now are written; others are skipped for good
 * @param texts only lines that contain one of them are written; empty = all
 * @param output is flushed after each batch of lines and never closed
 */
public record LogSink(Supplier<String> prefix, BooleanSupplier enabled, List<String> texts, OutputStream output) {

    public LogSink {
        texts = List.copyOf(texts);
    }

    /** The lines of one turn, for one sink. Owned by the thread {@code log-tail}. */
    static final class Batch {
        private final LogSink sink;
        private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
        private boolean on;

        Batch(LogSink sink) {
            this.sink = sink;
        }

        boolean wanted() {
            return sink.enabled().getAsBoolean();
        }

        void turn(boolean isWanted) {
            on = isWanted;
        }

        void add(byte[] line) {
            if (on && matches(line)) {
                lines.writeBytes(sink.prefix().get().getBytes(StandardCharsets.UTF_8));
                lines.writeBytes(line);
                lines.write('\n');
            }
        }

        void flush() throws IOException {
            if (lines.size() > 0) {
                try {
                    lines.writeTo(sink.output());
                    sink.output().flush();
                } finally {
                    lines.reset();
                }
            }
        }

        private boolean matches(byte[] line) {
            if (sink.texts().isEmpty()) {
                return true;
            }
            String text = new String(line, StandardCharsets.UTF_8);
            return sink.texts().stream().anyMatch(text::contains);
        }
    }
}
