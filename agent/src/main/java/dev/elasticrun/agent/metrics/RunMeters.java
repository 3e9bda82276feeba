/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.metrics;

import dev.elasticrun.agent.incident.IncidentCause;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.RecoveryPhase;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All metrics of one agent, and their texts. Safe for use by any thread. */
public final class RunMeters {
    private static final double[] RECOVERY_SECONDS = {
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Counter incidents;
    private final Histogram recovery;
    private final Counter refused;
    private final Supplier<Readings> readings;
    // One for all metrics of a scrape.
    private @Nullable Readings current;

    /**
     * @param run its name
     * @param node this agent's
     * @param readings asked at every scrape, by the thread that answers it
     */
    public RunMeters(String run, String node, Supplier<Readings> readings) {
        Labels who = Labels.of("run", run, "node", node);
        incidents = Counter.builder()
                .name("elasticrun_incidents_total")
                .help("Incidents that this agent saw, by cause.")
                .labelNames("cause")
                .constLabels(who)
                .register(registry);
        for (IncidentCause cause : IncidentCause.values()) {
            incidents.labelValues(cause.label());
        }
        recovery = Histogram.builder()
                .name("elasticrun_recovery_seconds")
                .help("Time from the first sign of an incident on this node until a phase of the answer was reached.")
                .labelNames("phase")
                .constLabels(who)
                .classicOnly()
                .classicUpperBounds(RECOVERY_SECONDS)
                .register(registry);
        for (RecoveryPhase phase : RecoveryPhase.values()) {
            recovery.labelValues(phase.label());
        }
        refused = Counter.builder()
                .name("elasticrun_control_calls_refused_total")
                .help("Calls and requests that were refused because the caller did not prove to know the run's key, or"
                        + " spoke another protocol.")
                .constLabels(who)
                .register(registry);
        this.readings = readings;
        new ReadMeters(registry, who, this::current).register();
    }

    private Readings current() {
        return Objects.requireNonNull(current, "no scrape is going on");
    }

    public void incident(IncidentCause cause) {
        incidents.labelValues(cause.label()).inc();
    }

    public void recovered(IncidentFact.Recovered done) {
        done.nanos().forEach((phase, nanos) -> recovery.labelValues(phase.label())
                .observe(nanos / (double) TimeUnit.SECONDS.toNanos(1)));
    }

    public void refused(long calls) {
        refused.inc(calls);
    }

    /**
     * A text and what kind it is.
     *
     * @param type for the header {@code Content-Type}
     */
    public record Page(String type, byte[] text) {}

    /** @param accept the scraper's header; OpenMetrics if it takes that, else the older text format */
    public synchronized Page scrape(String accept) {
        ExpositionFormatWriter open = OpenMetricsTextFormatWriter.builder()
                .setCreatedTimestampsEnabled(false)
                .build();
        ExpositionFormatWriter writer = open.accepts(accept)
                ? open
                : PrometheusTextFormatWriter.builder()
                        .setIncludeCreatedTimestamps(false)
                        .build();
        current = readings.get();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return new Page(writer.getContentType(), out.toByteArray());
    }
}
