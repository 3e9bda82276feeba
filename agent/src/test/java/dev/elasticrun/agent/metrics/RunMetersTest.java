/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.incident.Goodput;
import dev.elasticrun.agent.incident.IncidentCause;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.RecoveryPhase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunMetersTest {
    private final RunMeters meters = new RunMeters(
            "job",
            "host-1-ab",
            () -> new Readings(
                    Map.of("active", 2, "standby", 1),
                    4,
                    7,
                    1,
                    3,
                    new Goodput.Account(10_000_000_000L, 6_000_000_000L, 500_000_000L, 250_000_000L),
                    0.25,
                    2.5,
                    41,
                    2,
                    List.of(new Readings.Worker(2, 0, 2, 1234, 1 << 20), new Readings.Worker(3, 1, 1, 1233, 1 << 21))));

    @Test
    void scrape_asOldText_hasAllThatIsRead() {
        assertThat(text("text/plain"))
                .contains("elasticrun_world_size{node=\"host-1-ab\",run=\"job\"} 4.0")
                .contains("elasticrun_nodes{node=\"host-1-ab\",phase=\"active\",run=\"job\"} 2.0")
                .contains("elasticrun_committed_step_seconds_total{node=\"host-1-ab\",run=\"job\"} 6.0")
                .contains("elasticrun_wall_seconds_total{node=\"host-1-ab\",run=\"job\"} 10.0")
                .contains("elasticrun_heartbeat_lag_seconds{node=\"host-1-ab\",run=\"job\"} 0.25")
                .contains("elasticrun_worker_step{node=\"host-1-ab\",rank=\"2\",run=\"job\"} 1234.0")
                .contains("elasticrun_worker_restarts_total{node=\"host-1-ab\",run=\"job\",slot=\"0\"} 1.0")
                .contains("elasticrun_events_dropped_total{node=\"host-1-ab\",run=\"job\"} 2.0");
    }

    @Test
    void scrape_ofAQuietRun_hasEveryCauseAndPhaseAtZero() {
        String text = text("text/plain");

        for (IncidentCause cause : IncidentCause.values()) {
            assertThat(text).contains("elasticrun_incidents_total{cause=\"" + cause.label() + "\",node=");
        }
        for (RecoveryPhase phase : RecoveryPhase.values()) {
            assertThat(text).contains("elasticrun_recovery_seconds_count{node=\"host-1-ab\",phase=\"" + phase.label());
        }
    }

    @Test
    void scrape_afterAnIncident_counts() {
        meters.incident(IncidentCause.WORKER_FAILED);
        meters.recovered(new IncidentFact.Recovered(Map.of(RecoveryPhase.RESUMED, 120_000_000L)));
        meters.refused(3);

        assertThat(text(""))
                .contains("elasticrun_incidents_total{cause=\"worker_failed\",node=\"host-1-ab\",run=\"job\"} 1.0")
                .contains("phase=\"resumed\",run=\"job\",le=\"0.1\"} 0")
                .contains("phase=\"resumed\",run=\"job\",le=\"0.25\"} 1")
                .contains("elasticrun_control_calls_refused_total{node=\"host-1-ab\",run=\"job\"} 3.0");
    }

    @Test
    void scrape_byWhoTakesOpenMetrics_isThat() {
        RunMeters.Page page = meters.scrape("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

        assertThat(page.type()).startsWith("application/openmetrics-text");
        assertThat(new String(page.text(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
    }

    private String text(String accept) {
        return new String(meters.scrape(accept).text(), StandardCharsets.UTF_8);
    }
}
