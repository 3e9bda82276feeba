/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.ListeningSockets;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run of one machine is reached from there only, by ports that were allowed. */
@Tag("once")
@Timeout(120)
final class ListenE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void standalone_softAndWithARange_listensAtLoopbackWithinIt() throws IOException {
        AgentProcess agent = run.agent(
                List.of(
                        "--standalone",
                        "--nproc-per-node",
                        "2",
                        "--restart-policy",
                        "soft",
                        "--dashboard-port",
                        "0",
                        "--port-range",
                        "29400-29449"),
                run.training(1200));
        run.awaitTogether(2, agent);

        List<ListeningSockets.Socket> sockets = ListeningSockets.of(agent.jvm());
        run.hurryUp();

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        // Control service, store, page, and two workers.
        assertThat(sockets)
                .hasSize(5)
                .allMatch(ListeningSockets.Socket::isLoopback)
                .allMatch(socket -> socket.port() >= 29_400 && socket.port() <= 29_449);
    }

    @Test
    void range_tooSmall_endsTheStartNamingIt() {
        AgentProcess agent = run.agent(List.of("--standalone", "--port-range", "29450-29450"), List.of("true"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(2);
        assertThat(agent.console()).contains("--port-range: 29450-29450 ");
    }

    @Test
    void onOneMachine_hard_listensAtLoopback() throws IOException {
        AgentProcess agent =
                run.agent(run.onEtcd("--nproc-per-node", "2", "--restart-policy", "hard"), run.training(1200));
        run.awaitTogether(2, agent);

        List<ListeningSockets.Socket> sockets = ListeningSockets.of(agent.jvm());
        run.hurryUp();

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(sockets).hasSize(3).allMatch(ListeningSockets.Socket::isLoopback);
    }
}
