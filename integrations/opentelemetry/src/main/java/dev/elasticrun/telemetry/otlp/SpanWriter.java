/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import dev.elasticrun.agent.telemetry.IncidentSpan;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Writes an incident as a span, with one span below it for each phase of the answer, and an event for each failure of
 * workers.
 */
final class SpanWriter {
    private static final String NAME = "incident";
    private static final AttributeKey<Long> NUMBER = AttributeKey.longKey("elasticrun.incident");
    private static final AttributeKey<String> CAUSE = AttributeKey.stringKey("elasticrun.cause");
    private static final AttributeKey<Long> ROUND = AttributeKey.longKey("elasticrun.round");
    private static final AttributeKey<Double> STALL = AttributeKey.doubleKey("elasticrun.stall_seconds");
    private static final AttributeKey<Long> WORLD_BEFORE = AttributeKey.longKey("elasticrun.world_size_before");
    private static final AttributeKey<Long> WORLD = AttributeKey.longKey("elasticrun.world_size");
    private static final AttributeKey<Long> CHECKPOINT = AttributeKey.longKey("elasticrun.checkpoint_version");
    private static final AttributeKey<Long> STEPS_LOST = AttributeKey.longKey("elasticrun.steps_lost");
    private static final AttributeKey<String> WHO = AttributeKey.stringKey("elasticrun.worker");
    private static final AttributeKey<String> KIND = AttributeKey.stringKey("elasticrun.failure");
    private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("elasticrun.message");
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Tracer tracer;
    private final TraceIds ids;

    SpanWriter(Tracer tracer, TraceIds ids) {
        this.tracer = tracer;
        this.ids = ids;
    }

    void write(IncidentSpan incident) {
        Span span = ids.within(incident, () -> tracer.spanBuilder(NAME)
                .setNoParent()
                .setStartTimestamp(incident.began())
                .startSpan());
        span.setAttribute(NUMBER, incident.number());
        span.setAttribute(CAUSE, incident.cause());
        incident.answer().ifPresent(answer -> describe(span, answer));
        for (IncidentSpan.Failure failure : incident.failures()) {
            span.addEvent(
                    "failure",
                    Attributes.of(WHO, failure.who(), KIND, failure.kind(), MESSAGE, failure.message()),
                    incident.began());
        }
        Context within = Context.root().with(span);
        Duration from = Duration.ZERO;
        for (IncidentSpan.Phase phase : incident.phases()) {
            Instant start = incident.began().plus(from);
            from = phase.reached();
            tracer.spanBuilder(phase.name())
                    .setParent(within)
                    .setStartTimestamp(start)
                    .startSpan()
                    .end(incident.began().plus(from));
        }
        if (!incident.error().isEmpty()) {
            span.setStatus(StatusCode.ERROR, incident.error());
        }
        span.end(incident.began().plus(incident.length()));
    }

    private static void describe(Span span, IncidentSpan.Answer answer) {
        span.setAttribute(ROUND, answer.round());
        span.setAttribute(STALL, answer.stalled().toNanos() / NANOS);
        span.setAttribute(WORLD_BEFORE, (long) answer.worldBefore());
        span.setAttribute(WORLD, (long) answer.world());
        span.setAttribute(CHECKPOINT, answer.version());
        answer.stepsLost().ifPresent(steps -> span.setAttribute(STEPS_LOST, steps));
    }
}
