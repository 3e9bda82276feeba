/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class ConnectionGateTest {
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void callers_aboveTheLimits_areSentAwayUntilOthersLeave() {
        ConnectionGate gate = new ConnectionGate(3, 2, 60_000);
        List<Caller> callers = new ArrayList<>();
        for (int port = 1; port <= 3; port++) {
            callers.add(new Caller("10.0.0.1", port));
        }

        assertThat(callers.stream().map(caller -> gate.admit(caller, timer))).containsExactly(true, true, false);
        assertThat(gate.admit(new Caller("10.0.0.2", 1), timer)).isTrue();
        assertThat(gate.admit(new Caller("10.0.0.3", 1), timer)).isFalse();

        callers.get(0).close();
        callers.get(0).runPendingTasks();
        assertThat(gate.size()).isEqualTo(2);
        assertThat(gate.admit(new Caller("10.0.0.1", 4), timer)).isTrue();
    }

    @Test
    void caller_thatProvesNothing_isSentAwayInTime() {
        ConnectionGate gate = new ConnectionGate(3, 3, 50);
        Caller silent = new Caller("10.0.0.1", 1);
        Caller proved = new Caller("10.0.0.1", 2);
        gate.admit(silent, timer);
        gate.admit(proved, timer);
        gate.proved(proved.remoteAddress());

        await().atMost(Duration.ofSeconds(10)).until(() -> {
            silent.runPendingTasks();
            return !silent.isOpen();
        });
        assertThat(proved.isOpen()).isTrue();
        assertThat(gate.size()).isOne();
    }

    @Test
    void caller_thatHasLeft_isNotHeldByItsTimer() {
        timer.setRemoveOnCancelPolicy(true);
        ConnectionGate gate = new ConnectionGate(3, 3, 60_000);
        Caller brief = new Caller("10.0.0.1", 1);
        gate.admit(brief, timer);
        assertThat(timer.getQueue()).hasSize(1);

        brief.close();
        brief.runPendingTasks();

        assertThat(timer.getQueue()).isEmpty();
    }

    private static final class Caller extends EmbeddedChannel {
        private final InetSocketAddress from;

        Caller(String host, int port) {
            from = new InetSocketAddress(host, port);
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return from;
        }

        @Override
        public SocketAddress remoteAddress() {
            return from == null ? super.remoteAddress() : from;
        }
    }
}
