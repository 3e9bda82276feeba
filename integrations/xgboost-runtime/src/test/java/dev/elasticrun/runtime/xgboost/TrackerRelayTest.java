/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers of a node that rank 0 is not on. */
@Timeout(30)
final class TrackerRelayTest {

    @Test
    void start_onTwoNodes_sendsEachItsNeighbour() throws IOException {
        try (XgboostTracker first = tracker(5);
                XgboostTracker other = tracker(5, first.port());
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
        try (XgboostTracker first = tracker(5);
                XgboostTracker other = tracker(5, first.port())) {
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
        try (XgboostTracker first = tracker(5);
                XgboostTracker other = tracker(4, first.port());
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
        try (XgboostTracker other = tracker(5, gone);
                Worker one = new Worker(other.port(), "1")) {
            one.start(4001);

            assertThat(one.in.read()).isNegative();
        }
    }

    /** As when the node of rank 0 is cut off: its kernel would send nothing at all. */
    @Test
    void firstIsSilent_workersAreFreedAndReadAllTheSame() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                XgboostTracker other = tracker(5, silent.getLocalPort());
                Worker waiting = new Worker(other.port(), "1")) {
            waiting.start(4001);
            try (Worker done = new Worker(other.port(), "1")) {
                done.send("{\"cmd\":2}");
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
                XgboostTracker other = tracker(5, silent.getLocalPort());
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

    /** Knows the protocol, and is at the same machine, but is no agent of the run. */
    @Test
    void start_forANodeWithoutTheKey_isRefused() throws IOException {
        try (XgboostTracker first = tracker(5);
                XgboostTracker stranger = XgboostTracker.serve(
                        XgboostTracker.listen(0), Rounds.of(5, Rounds.SECOND, first.port(), "another secret"));
                Worker one = new Worker(stranger.port(), "1")) {
            one.start(4001);

            assertThat(one.in.read()).isNegative();
        }
    }

    /** Who listens where rank 0's node did cannot answer for it. */
    @Test
    void start_firstDoesNotKnowTheKey_isNotBelieved() throws IOException {
        RuntimeRound round = Rounds.of(5, Rounds.FIRST, 0, "another secret");
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                XgboostTracker other = tracker(5, stranger.getLocalPort());
                Worker one = new Worker(other.port(), "1")) {
            one.start(4001);
            try (Socket line = stranger.accept()) {
                DataInputStream in = new DataInputStream(line.getInputStream());
                line.getOutputStream().write(bytes(Frames.magic()));
                assertThat(in.readInt()).isEqualTo(Integer.reverseBytes(Frames.MAGIC));
                TrackerCall.Who who = TrackerCall.who(text(in));
                line.getOutputStream().write(bytes(Frames.of(TrackerCall.challenge("00"))));
                assertThat(text(in)).contains("\"cmd\":1,\"port\":4001");

                TrackerProof proof =
                        new TrackerProof(round, who.node(), stranger.getLocalPort(), who.taskId(), who.nonce(), "00");
                String size = TrackerCall.worldSize(2);
                TrackerCall.Answer answer = new TrackerCall.Answer(size, proof.ofAnswer(1, size));
                line.getOutputStream().write(bytes(Frames.of(TrackerCall.answer(answer))));

                assertThat(one.in.read()).isNegative();
            }
        }
    }

    /** The proof is for the port that was called: who listens there can do nothing with it. */
    @Test
    void start_passedOn_isRefused() throws IOException {
        try (XgboostTracker first = tracker(5);
                ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                XgboostTracker other = tracker(5, between.getLocalPort());
                Worker one = new Worker(other.port(), "1")) {
            one.start(4001);
            try (Socket from = between.accept();
                    Socket to = new Socket(InetAddress.getLoopbackAddress(), first.port())) {
                DataInputStream asked = new DataInputStream(to.getInputStream());
                DataInputStream asking = new DataInputStream(from.getInputStream());
                from.getOutputStream().write(asked.readNBytes(Integer.BYTES));
                to.getOutputStream().write(asking.readNBytes(Integer.BYTES));
                to.getOutputStream().write(bytes(Frames.of(text(asking))));
                from.getOutputStream().write(bytes(Frames.of(text(asked))));
                to.getOutputStream().write(bytes(Frames.of(text(asking))));

                assertThat(asked.read()).isNegative();
            }
        }
    }

    @Test
    void proof_isOfWhatIsSent() {
        RuntimeRound round = Rounds.of(5, Rounds.FIRST, 0);
        TrackerProof proof = new TrackerProof(round, "b", 5000, "g5-r1", "00", "11");

        assertThat(List.of(
                        proof.ofStart(4001),
                        proof.ofStart(4002),
                        proof.ofAnswer(1, "4001"),
                        proof.ofAnswer(2, "4001"),
                        new TrackerProof(round, "c", 5000, "g5-r1", "00", "11").ofStart(4001),
                        new TrackerProof(round, "b", 5001, "g5-r1", "00", "11").ofStart(4001),
                        new TrackerProof(round, "b", 5000, "g5-r2", "00", "11").ofStart(4001),
                        new TrackerProof(round, "b", 5000, "g5-r1", "01", "11").ofStart(4001),
                        new TrackerProof(round, "b", 5000, "g5-r1", "00", "12").ofStart(4001)))
                .doesNotHaveDuplicates();
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(Integer.reverseBytes(in.readInt())), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static XgboostTracker tracker(long round) throws IOException {
        return XgboostTracker.serve(XgboostTracker.listen(0), Rounds.of(round, Rounds.FIRST, 0));
    }

    private static XgboostTracker tracker(long round, int first) throws IOException {
        return XgboostTracker.serve(XgboostTracker.listen(0), Rounds.of(round, Rounds.SECOND, first));
    }
}
