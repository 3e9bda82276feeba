/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import dev.elasticrun.agent.telemetry.IncidentSpan;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Ids of traces and spans. Those of a trace are made of the incident, so that what all nodes send of one incident is one
 * trace, without a word between them. Safe for use by any thread.
 */
final class TraceIds implements IdGenerator {
    private static final int BYTES = 16;

    private final IdGenerator random = IdGenerator.random();
    private final ThreadLocal<String> trace = new ThreadLocal<>();

    /** What the task begins without a parent is in the trace of the incident. */
    <T> T within(IncidentSpan incident, Supplier<T> task) {
        trace.set(of(incident));
        try {
            return task.get();
        } finally {
            trace.remove();
        }
    }

    private static String of(IncidentSpan incident) {
        boolean storeOnly =
                incident.answer().map(IncidentSpan.Answer::storeOnly).orElse(false);
        String text = incident.incarnation() + "/" + incident.number() + (storeOnly ? "/store" : "");
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String generateTraceId() {
        String known = trace.get();
        return known == null ? random.generateTraceId() : known;
    }

    @Override
    public String generateSpanId() {
        return random.generateSpanId();
    }
}
