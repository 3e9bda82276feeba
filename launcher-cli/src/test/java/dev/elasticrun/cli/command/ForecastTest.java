/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ForecastTest {
    private final StatusReply run = StatusReply.newBuilder()
            .setRunId("job")
            .setMinNodes(1)
            .setMaxNodes(2)
            .setWorldSize(4)
            .addNodes(node("big-1a", "big", true, "ACTIVE"))
            .addNodes(node("big-2b", "big", true, "ACTIVE"))
            .addNodes(node("x-3", "x", false, "STANDBY"))
            .build();

    @Test
    void drain_member_reportsWhoGoesOn() {
        assertThat(Forecast.drain(run, Forecast.node(run, "big-2")))
                .isEqualTo(new Forecast(
                        "drain big-2b: its 2 workers stop, and it leaves run job; 1 node with 2 workers go on (at least 1"
                                + " node is needed)",
                        false));
    }

    @Test
    void scale_up_isHarmless_scale_down_isNot() {
        assertThat(Forecast.scale(run, 2, 4))
                .isEqualTo(new Forecast("scale 2:4, now 1:2: 1 node joins, which stands by", true));
        assertThat(Forecast.scale(run, 1, 2).harmless()).isTrue();
        assertThat(Forecast.scale(run, 1, 1))
                .isEqualTo(new Forecast(
                        "scale 1:1, now 1:2: 1 node, the one that joined last, stands by from then on; 1 node goes on",
                        false));
    }

    @Test
    void stopAndRestart_reportHowManyWorkersStop() {
        assertThat(Forecast.stop(run).text())
                .isEqualTo("stop: run job ends on 3 nodes with exit code 143, and its 6 workers stop");
        assertThat(Forecast.restart(run).text())
                .isEqualTo("restart: all workers of run job, 4, stop and are started afresh; no restart is used up");
    }

    @Test
    void node_severalOrNone_namesThem() {
        assertThatThrownBy(() -> Forecast.node(run, "big")).hasMessageContaining("one node; that is big-1a, big-2b");
        assertThatThrownBy(() -> Forecast.node(run, "y")).hasMessageContaining("one of big-1a, big-2b, x-3");
    }

    @Test
    void confirmation_onlyYesIsYes() {
        assertThat(confirmed("y\n")).isTrue();
        assertThat(confirmed(" YES\n")).isTrue();
        assertThat(confirmed("\n")).isFalse();
        assertThat(confirmed("n\n")).isFalse();
        assertThat(confirmed("")).isFalse();
    }

    private static boolean confirmed(String typed) {
        InputStream in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
        return Confirmation.ask(
                "Do it?", in, new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    }

    private static NodeStatus node(String nodeId, String label, boolean participant, String phase) {
        return NodeStatus.newBuilder()
                .setNodeId(nodeId)
                .setHostLabel(label)
                .setParticipant(participant)
                .setPhase(phase)
                .addWorkers(WorkerStatus.getDefaultInstance())
                .addWorkers(WorkerStatus.getDefaultInstance())
                .build();
    }
}
