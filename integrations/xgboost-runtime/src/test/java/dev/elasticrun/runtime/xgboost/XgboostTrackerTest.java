/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that speak the protocol by hand. */
@Timeout(30)
final class XgboostTrackerTest {
    private XgboostTracker tracker;

    @BeforeEach
    void open() throws IOException {
        tracker = XgboostTracker.serve(XgboostTracker.listen(0), Rounds.alone(5));
    }

    @AfterEach
    void close() {
        tracker.close();
    }

    @Test
    void start_byAll_sendsEachItsNeighbour() throws IOException {
        assertAllFindEachOther();
    }

    @Test
    void start_ofAnotherRound_isRefused() throws IOException {
        try (Worker stale = new Worker(tracker.port(), "g00004-r0001")) {
            stale.start(4001);

            assertThat(stale.in.read()).isNegative();
        }

        assertAllFindEachOther();
    }

    @Test
    void start_ofOneThatDied_isForgotten() throws IOException {
        try (Worker dead = new Worker(tracker.port(), "1")) {
            dead.start(9);
            dead.text();
        }

        assertAllFindEachOther();
    }

    @Test
    void strangers_areHungUpOn() throws IOException {
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), tracker.port())) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(stranger.getInputStream().readAllBytes()).hasSize(Integer.BYTES);
        }
    }

    @Test
    void over_freesThoseThatWaitAndReceivesWhoIsDone() throws IOException {
        try (Worker waiting = new Worker(tracker.port(), "0")) {
            waiting.start(4000);
            waiting.text();

            tracker.over();

            assertThat(waiting.in.read()).isNegative();
        }
        try (Worker late = new Worker(tracker.port(), "1")) {
            late.start(4001);
            assertThat(late.in.read()).isNegative();
        }
        try (Worker done = new Worker(tracker.port(), "0")) {
            done.send("{\"cmd\":2}");
            assertThat(done.in.read()).isNegative();
        }
    }

    @Test
    void close_freesThoseThatWait() throws IOException {
        try (Worker waiting = new Worker(tracker.port(), "0")) {
            waiting.start(4000);
            waiting.text();

            tracker.close();

            assertThat(waiting.in.read()).isNegative();
        }
    }

    @Test
    void close_dialsThoseThatMayWaitForADeadNeighbour() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Worker zero = new Worker(tracker.port(), "0");
                Worker one = new Worker(tracker.port(), "1")) {
            zero.start(listening.getLocalPort());
            one.start(4001);
            zero.text();
            zero.text();

            tracker.close();

            try (Socket poke = listening.accept()) {
                assertThat(poke.getInputStream().read()).isNegative();
            }
        }
    }

    private void assertAllFindEachOther() throws IOException {
        try (Worker one = new Worker(tracker.port(), "1");
                Worker zero = new Worker(tracker.port(), "g00005-r0000")) {
            one.start(4001);
            zero.start(4000);

            assertThat(zero.text()).isEqualTo("{\"world_size\":2}");
            assertThat(one.text()).isEqualTo("{\"world_size\":2}");
            assertThat(zero.text()).isEqualTo("{\"rank\":1,\"host\":\"127.0.0.1\",\"port\":4001}");
            assertThat(one.text()).isEqualTo("{\"rank\":0,\"host\":\"127.0.0.1\",\"port\":4000}");
            assertThat(one.in.read()).as("end of the stream").isNegative();
        }
        try (Worker done = new Worker(tracker.port(), "0")) {
            done.send("{\"cmd\":2}");
            assertThat(done.in.read()).isNegative();
        }
    }
}
