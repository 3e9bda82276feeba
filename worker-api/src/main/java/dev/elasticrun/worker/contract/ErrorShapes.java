/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of an error file. Pure.
 *
 * <pre>
 * {"message": "...", "stack": "...", "thread": "...", "timestamp": "2026-01-01T00:00:00Z", "round": 3, "version": 1}
 * {"message": {"message": "...", "extraInfo": {"py_callstack": "...", "timestamp": "1700000000"}}}
 * {"message": "...", "timestamp": 1700000000}
 * </pre>
 *
 * The first is ours, and all but the message may be missing; the others are torchelastic's, new and old.
 */
final class ErrorShapes {
    private ErrorShapes() {}

    static ErrorReport decode(byte[] json) {
        JsonFields fields = JsonFields.parse(json);
        if (fields.members().containsKey("version")) {
            fields.requireVersion(MessageCodec.VERSION);
        }
        if (fields.members().get("message") instanceof String) {
            return new ErrorReport(
                    fields.string("message"),
                    text(fields, "stack"),
                    text(fields, "thread"),
                    time(fields),
                    round(fields));
        }
        JsonFields nested = fields.objectOrNull("message");
        if (nested == null) {
            throw fields.wrong("message", fields.members().get("message"), "a string, or an object that has one");
        }
        JsonFields extra = nested.objectOrNull("extraInfo");
        return extra == null
                ? new ErrorReport(nested.string("message"), "", "", Instant.EPOCH, 0)
                : new ErrorReport(nested.string("message"), text(extra, "py_callstack"), "", time(extra), 0);
    }

    private static String text(JsonFields fields, String name) {
        return fields.members().get(name) == null ? "" : fields.string(name);
    }

    private static long round(JsonFields fields) {
        return fields.members().get("round") == null ? 0 : fields.integer("round");
    }

    /** Seconds as a number or a text, or an ISO instant. */
    private static Instant time(JsonFields fields) {
        Object value = fields.members().get("timestamp");
        try {
            if (value == null) {
                return Instant.EPOCH;
            } else if (value instanceof Number seconds) {
                return Instant.ofEpochSecond(seconds.longValue());
            } else if (value instanceof String text) {
                return text.matches("-?[0-9]{1,18}")
                        ? Instant.ofEpochSecond(Long.parseLong(text))
                        : Instant.parse(text);
            }
        } catch (DateTimeException e) {
            throw wrongTime(fields, value);
        }
        throw wrongTime(fields, value);
    }

    private static IllegalArgumentException wrongTime(JsonFields fields, @Nullable Object value) {
        return fields.wrong("timestamp", value, "an ISO-8601 instant, or seconds since 1970");
    }
}
