/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.elasticrun.agent.telemetry.IncidentSpan;
import dev.elasticrun.agent.telemetry.Telemetry;
import dev.elasticrun.agent.telemetry.TelemetryProvider.Origin;
import dev.elasticrun.telemetry.otlp.OtlpCollector.Received;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ObjDoubleConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What a collector receives over a socket. */
@Timeout(60)
final class OtlpTelemetryIT {
    // What the SDK logs of a collector that fails here is of no interest; without a reference the level is lost.
    private static final java.util.logging.Logger SDK = java.util.logging.Logger.getLogger("io.opentelemetry");
    // Spans wait for others for 5 s, and what could not be sent is sent again for as long.
    private static final Map<String, String> SOONER =
            Map.of("otel.bsp.schedule.delay", "100", "otel.java.exporter.otlp.retry.disabled", "true");
    private static final Instant BEGAN = Instant.parse("2026-11-27T10:00:00Z");
    private static final IncidentSpan ANSWERED = new IncidentSpan(
            "i-1",
            2,
            "worker_failed",
            BEGAN,
            Duration.ofMillis(70),
            List.of(
                    new IncidentSpan.Phase("detected", Duration.ofMillis(10)),
                    new IncidentSpan.Phase("resumed", Duration.ofMillis(70))),
            List.of(new IncidentSpan.Failure("rank 1", "signal", "killed by SIGKILL (9)")),
            Optional.of(new IncidentSpan.Answer(7, false, Duration.ofMillis(65), 4, 3, 40, Optional.of(2L))),
            "");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private OtlpCollector collector;

    @BeforeEach
    void start() throws IOException {
        SDK.setLevel(java.util.logging.Level.OFF);
        SOONER.forEach(System::setProperty);
        collector = OtlpCollector.start();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Delivery.class);
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        ((Logger) LoggerFactory.getLogger(Delivery.class)).detachAppender(lines);
        collector.close();
        SOONER.keySet().forEach(System::clearProperty);
    }

    @Test
    void incident_isASpanWithItsPhases_andOneTraceForAllNodes() {
        for (String node : List.of("a", "b")) {
            try (Telemetry telemetry = open(node, collector.address())) {
                telemetry.incident(ANSWERED);
            }
        }

        List<Received<Span>> roots = named("incident");
        assertThat(roots)
                .extracting(root -> root.resource().get("elasticrun.node"))
                .containsExactly("a", "b");
        assertThat(roots)
                .extracting(root -> root.value().getTraceId())
                .containsOnly(roots.get(0).value().getTraceId());
        Span root = roots.get(0).value();
        assertThat(root.getParentSpanId().isEmpty()).isTrue();
        assertThat(OtlpCollector.attributes(root.getAttributesList()))
                .containsOnly(
                        entry("elasticrun.incident", "2"),
                        entry("elasticrun.cause", "worker_failed"),
                        entry("elasticrun.round", "7"),
                        entry("elasticrun.stall_seconds", "0.065"),
                        entry("elasticrun.world_size_before", "4"),
                        entry("elasticrun.world_size", "3"),
                        entry("elasticrun.checkpoint_version", "40"),
                        entry("elasticrun.steps_lost", "2"));
        assertThat(millis(root)).isEqualTo(70);
        assertThat(root.getEventsList()).singleElement().satisfies(event -> {
            assertThat(event.getName()).isEqualTo("failure");
            assertThat(OtlpCollector.attributes(event.getAttributesList()))
                    .containsEntry("elasticrun.worker", "rank 1")
                    .containsEntry("elasticrun.message", "killed by SIGKILL (9)");
        });
        assertThat(named("resumed")).hasSize(2).first().satisfies(phase -> {
            assertThat(phase.value().getParentSpanId()).isEqualTo(root.getSpanId());
            assertThat(millis(phase.value())).isEqualTo(60);
        });
        assertThat(roots.get(0).resource())
                .containsEntry("service.name", "elastic-run")
                .containsKey("service.instance.id")
                .containsEntry("service.version", "1.2")
                .containsEntry("elasticrun.run", "job");
    }

    @Test
    void incidents_ofOtherRunsOfThatName_areOtherTraces() {
        IncidentSpan open = new IncidentSpan(
                "i-2",
                2,
                "other",
                BEGAN,
                Duration.ofSeconds(1),
                List.of(),
                List.of(),
                Optional.empty(),
                "no nodes left");
        try (Telemetry telemetry = open("a", collector.address())) {
            telemetry.incident(ANSWERED);
            telemetry.incident(open);
        }

        List<Received<Span>> roots = named("incident");
        assertThat(roots).extracting(root -> root.value().getTraceId()).doesNotHaveDuplicates();
        Status status = roots.get(1).value().getStatus();
        assertThat(status.getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(status.getMessage()).isEqualTo("no nodes left");
    }

    @Test
    void metrics_haveTheirLabels_andAreReadOnceForAll() {
        int[] reads = new int[1];
        try (Telemetry telemetry = open("a", collector.address())) {
            telemetry.<Integer>metrics(() -> ++reads[0], metrics -> {
                Consumer<String> causes =
                        metrics.counter("run_incidents_total", "by cause", "cause", List.of("lost", "left"));
                causes.accept("lost");
                metrics.counter("run_refused_total", "calls").accept(3);
                ObjDoubleConsumer<String> times =
                        metrics.histogram("run_recovery_seconds", "time", "phase", List.of("sealed"), 0.1, 1);
                times.accept("sealed", 0.5);
                metrics.gauge("run_world_size", "workers", reading -> reading);
                metrics.gauge("run_nodes", "nodes", "phase", reading -> Map.of("working", (long) reading));
                metrics.gauge(
                        "run_worker_metric",
                        "values",
                        List.of("rank", "name"),
                        reading -> Map.of(List.of("0", "loss"), 0.25));
                metrics.readCounter("run_wall_seconds_total", "time", reading -> reading * 2.0);
                metrics.readCounter("run_restarts_total", "restarts", "slot", reading -> Map.of("1", (double) reading));
            });
        }

        assertThat(collector.metrics())
                .containsOnlyKeys(
                        "run_incidents",
                        "run_refused",
                        "run_recovery_seconds",
                        "run_world_size",
                        "run_nodes",
                        "run_worker_metric",
                        "run_wall_seconds",
                        "run_restarts");
        assertThat(points("run_incidents"))
                .extracting(OtlpTelemetryIT::labelled)
                .containsExactlyInAnyOrder(
                        Map.of("run", "job", "node", "a", "cause", "lost"),
                        Map.of("run", "job", "node", "a", "cause", "left"));
        assertThat(points("run_incidents"))
                .extracting(NumberDataPoint::getAsInt)
                .containsExactlyInAnyOrder(1L, 0L);
        assertThat(metric("run_incidents").getSum().getIsMonotonic()).isTrue();
        assertThat(points("run_worker_metric")).singleElement().satisfies(point -> {
            assertThat(labelled(point)).containsEntry("rank", "0").containsEntry("name", "loss");
            assertThat(point.getAsDouble()).isEqualTo(0.25);
        });
        assertThat(metric("run_wall_seconds").getUnit()).isEqualTo("s");
        double world = points("run_world_size").get(0).getAsDouble();
        assertThat(points("run_wall_seconds").get(0).getAsDouble()).isEqualTo(2 * world, within(1e-9));
        assertThat(points("run_restarts").get(0).getAsDouble()).isEqualTo(world, within(1e-9));
        assertThat(metric("run_recovery_seconds")
                        .getHistogram()
                        .getDataPoints(0)
                        .getExplicitBoundsList())
                .containsExactly(0.1, 1.0);
    }

    @Test
    void collectorThatRefuses_isReportedOnce_andOnceWhenItTakesThemAgain() {
        collector.answer(400);
        try (Telemetry telemetry = open("a", collector.address())) {
            telemetry.incident(ANSWERED);
            await().until(() -> !lines.list.isEmpty());
            telemetry.incident(ANSWERED);
            collector.answer(200);
            await().until(() -> {
                telemetry.incident(ANSWERED);
                return !named("incident").isEmpty();
            });
        }

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
        assertThat(lines.list).allSatisfy(line -> assertThat(line.getFormattedMessage())
                .contains(collector.address().toString()));
    }

    @Test
    void collectorThatIsNotThere_endsWithTheTelemetry() {
        URI nobody = collector.address();
        collector.close();
        Telemetry telemetry = open("a", nobody);
        telemetry.incident(ANSWERED);

        await().untilAsserted(telemetry::close);
        assertThat(lines.list).extracting(ILoggingEvent::getLevel).contains(Level.WARN);
    }

    private static Telemetry open(String node, URI collector) {
        return new OtlpProvider().open(new Origin("job", node, "host-1", "1.2"), collector);
    }

    private List<Received<Span>> named(String name) {
        return collector.spans().stream()
                .filter(span -> span.value().getName().equals(name))
                .toList();
    }

    private static long millis(Span span) {
        return Duration.ofNanos(span.getEndTimeUnixNano() - span.getStartTimeUnixNano())
                .toMillis();
    }

    private Metric metric(String name) {
        return Optional.ofNullable(collector.metrics().get(name)).orElseThrow().value();
    }

    private List<NumberDataPoint> points(String name) {
        Metric metric = metric(name);
        return metric.hasSum()
                ? metric.getSum().getDataPointsList()
                : metric.getGauge().getDataPointsList();
    }

    private static Map<String, String> labelled(NumberDataPoint point) {
        return OtlpCollector.attributes(point.getAttributesList());
    }
}
