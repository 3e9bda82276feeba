/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.RecoveryPhase;
import dev.elasticrun.agent.metrics.MetricsRegistry;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentMetricsTest {
    @TempDir
    private Path directory;

    private MetricsFixture agent;

    @BeforeEach
    void serve() {
        agent = new MetricsFixture(directory);
    }

    @Test
    void scrape_hasWhatTheRunIs() {
        assertThat(agent.text("text/plain"))
                .contains(agent.sample("elasticrun_world_size", "NODE,run=\"job\"", "3.0"))
                .contains(agent.sample("elasticrun_round", "NODE,run=\"job\"", "1.0"))
                .contains(agent.sample("elasticrun_restarts_used", "NODE,run=\"job\"", "0.0"))
                .contains(agent.sample("elasticrun_restarts_allowed", "NODE,run=\"job\"", "5.0"))
                .contains(agent.sample("elasticrun_nodes", "NODE,phase=\"active\",run=\"job\"", "2.0"))
                .contains(agent.sample("elasticrun_nodes", "NODE,phase=\"standby\",run=\"job\"", "1.0"))
                .contains(agent.sample("elasticrun_events_dropped_total", "NODE,run=\"job\"", "2.0"));
        for (NodePhase phase : NodePhase.values()) {
            assertThat(agent.text("")).contains("phase=\"" + phase.name().toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void scrape_hasTheWorkersThatHaveARank_andTheirCheckpointOnly() {
        agent.observer.onEvent(new RunEvent.WorkerStarted(new RunEvent.Worker(0, 0), 4711), null);
        agent.observer.onEvent(new RunEvent.WorkerStarted(new RunEvent.Worker(0, 1), 4712), null);

        assertThat(agent.text("text/plain"))
                .contains(agent.sample("elasticrun_worker_step", "NODE,rank=\"2\",run=\"job\"", "1234.0"))
                .contains(agent.sample("elasticrun_worker_metric", "name=\"loss\",NODE,rank=\"2\",run=\"job\"", "0.25"))
                .contains(agent.sample("elasticrun_worker_memory_bytes", "NODE,rank=\"3\",run=\"job\"", "1048576.0"))
                .contains(agent.sample("elasticrun_worker_restarts_total", "NODE,run=\"job\",slot=\"0\"", "1.0"))
                .contains(agent.sample("elasticrun_worker_restarts_total", "NODE,run=\"job\",slot=\"1\"", "0.0"))
                .contains(agent.sample("elasticrun_checkpoint_version", "NODE,run=\"job\"", "41.0"))
                .doesNotContain("slot=\"2\"");
    }

    @Test
    void scrape_hasWhatIsLeftOfTheLease() {
        assertThat(agent.text("")).contains(agent.sample("elasticrun_lease_margin_seconds", "NODE,run=\"job\"", "0.0"));
        agent.observer.onLeaseDeadline(agent.nanos() + TimeUnit.SECONDS.toNanos(2));

        agent.pass(0.5);

        assertThat(agent.text("")).contains(agent.sample("elasticrun_lease_margin_seconds", "NODE,run=\"job\"", "1.5"));
        agent.pass(9.5);
        assertThat(agent.text("")).doesNotContain(agent.sample("elasticrun_heartbeat_lag_seconds", "NODE", "0.0"));
    }

    @Test
    void scrape_ofAQuietRun_hasEveryCauseAndPhaseAtZero() {
        for (IncidentCause cause : IncidentCause.values()) {
            assertThat(agent.text("text/plain"))
                    .contains(agent.sample(
                            "elasticrun_incidents_total", "cause=\"" + cause.label() + "\",NODE,run=\"job\"", "0.0"));
        }
        for (RecoveryPhase phase : RecoveryPhase.values()) {
            assertThat(agent.text("text/plain"))
                    .contains(agent.sample(
                            "elasticrun_recovery_seconds_count",
                            "NODE,phase=\"" + phase.label() + "\",run=\"job\"",
                            "0"));
        }
    }

    @Test
    void scrape_afterAnIncident_counts() {
        agent.metrics.incident(IncidentCause.WORKER_FAILED);
        agent.metrics.recovered(new IncidentFact.Recovered(Round.NONE, 0, Map.of(RecoveryPhase.RESUMED, 120_000_000L)));
        agent.metrics.refused(3);

        assertThat(agent.text(""))
                .contains(agent.sample("elasticrun_incidents_total", "cause=\"worker_failed\",NODE,run=\"job\"", "1.0"))
                .contains("phase=\"resumed\",run=\"job\",le=\"0.1\"} 0")
                .contains("phase=\"resumed\",run=\"job\",le=\"0.25\"} 1")
                .contains(agent.sample("elasticrun_control_calls_refused_total", "NODE,run=\"job\"", "3.0"));
    }

    @Test
    void scrape_byWhoTakesOpenMetrics_isThat() {
        MetricsRegistry.Page page = agent.page("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

        assertThat(page.type()).startsWith("application/openmetrics-text");
        assertThat(new String(page.text(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
    }
}
