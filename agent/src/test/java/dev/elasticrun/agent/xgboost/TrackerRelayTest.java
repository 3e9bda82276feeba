/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers of a node that rank 0 is not on. */
@Timeout(30)
final class TrackerRelayTest {

    @Test
    void start_onTwoNodes_tellsEachItsNeighbour() throws IOException {
        try (XgboostTracker first = tracker(5, Optional.empty());
                XgboostTracker other = tracker(5, at(first.port()));
                Worker one = new Worker(other.port(), "1");
                Worker zero = new Worker(first.port(), "g5-r0")) {
            one.start(4001);
            zero.start(4000);

            assertThat(zero.text()).isEqualTo("{\"world_size\":2}");
            assertThat(one.text()).isEqualTo("{\"world_size\":2}");
            assertThat(zero.text()).isEqualTo("{\"rank\":1,\"host\":\"127.0.0.1\",\"port\":4001}");
            assertThat(one.text()).isEqualTo("{\"rank\":0,\"host\":\"127.0.0.1\",\"port\":4000}");
            assertThat(one.in.read()).as("end of the stream").isNegative();
        }
    }

    @Test
    void start_workerGoesAway_isForgottenByTheFirst() throws IOException {
        try (XgboostTracker first = tracker(5, Optional.empty());
                XgboostTracker other = tracker(5, at(first.port()))) {
            try (Worker dead = new Worker(other.port(), "1")) {
                dead.start(9);
                dead.text();
            }
            try (Worker one = new Worker(other.port(), "1");
                    Worker zero = new Worker(first.port(), "0")) {
                one.start(4001);
                one.text();
                zero.start(4000);
                zero.text();
                assertThat(zero.text()).contains("\"port\":4001}");
            }
        }
    }

    @Test
    void start_firstIsInAnotherRound_isRefused() throws IOException {
        try (XgboostTracker first = tracker(5, Optional.empty());
                XgboostTracker other = tracker(4, at(first.port()));
                Worker stale = new Worker(other.port(), "1")) {
            stale.start(4001);

            assertThat(stale.in.read()).isNegative();
        }
    }

    @Test
    void start_nobodyIsThere_failsAtOnce() throws IOException {
        int gone;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = socket.getLocalPort();
        }
        try (XgboostTracker other = tracker(5, at(gone));
                Worker one = new Worker(other.port(), "1")) {
            one.start(4001);

            assertThat(one.in.read()).isNegative();
        }
    }

    /** As when the node of rank 0 is cut off: its kernel would say nothing at all. */
    @Test
    void firstIsSilent_workersAreFreedAndHeardAllTheSame() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                XgboostTracker other = tracker(5, at(silent.getLocalPort()));
                Worker waiting = new Worker(other.port(), "1")) {
            waiting.start(4001);
            try (Worker done = new Worker(other.port(), "1")) {
                done.say("{\"cmd\":2}");
                assertThat(done.in.read()).isNegative();
            }

            other.over();

            assertThat(waiting.in.read()).isNegative();
        }
    }

    @Test
    void over_dialsThoseOfThisNodeThatMayWaitForADeadNeighbour() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                XgboostTracker other = tracker(5, at(silent.getLocalPort()));
                Worker waiting = new Worker(other.port(), "1")) {
            waiting.start(listening.getLocalPort());
            silent.accept().close();
            assertThat(waiting.in.read()).isNegative();

            other.over();

            try (Socket poke = listening.accept()) {
                assertThat(poke.getInputStream().read()).isNegative();
            }
        }
    }

    private static Optional<InetSocketAddress> at(int port) {
        return Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", port));
    }

    private static XgboostTracker tracker(long round, Optional<InetSocketAddress> first) throws IOException {
        return XgboostTracker.serve(XgboostTracker.listen(0), round, 2, first);
    }
}
