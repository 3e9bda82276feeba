/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.contract.UpMessage;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two workers that are also connected by a socket of their program, which stands for another library. */
@Timeout(30)
final class OtherLibraryTest {
    private static final int STEPS = 20;
    private static final int LAST_COMMIT = 10;
    private static final int SOCKET_MILLIS = 10_000;
    private static final LoopOptions OPTIONS = LoopOptions.STANDARD
            .withPeerError(EOFException.class::isInstance)
            .withLostRank(thrown -> Integer.parseInt(thrown.getMessage()));

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<TestAgent> agents = new ArrayList<>();
    private final List<WorkerRuntime> workers = new ArrayList<>();

    /** What a worker does in a step, once the other one waits for it. */
    private interface Step {
        void run(int step, Collective collective) throws IOException;
    }

    /** One worker's program. */
    private static final class Program implements Snapshotable {
        final List<String> begun = new CopyOnWriteArrayList<>();
        private final WorkerRuntime worker;
        private final Step answer;
        private byte done;

        Program(WorkerRuntime worker, Step answer) {
            this.worker = worker;
            this.answer = answer;
        }

        @Override
        public byte[] save() {
            return new byte[] {done};
        }

        @Override
        public void restore(byte[] snapshot) {
            done = snapshot[0];
        }

        int run() throws Exception {
            ElasticState state = ElasticState.of(this);
            ElasticLoop.run(worker, state, OPTIONS, collective -> {
                begun.add("round " + collective.round() + " at " + done);
                try (Socket other = connect(collective)) {
                    other.setSoTimeout(SOCKET_MILLIS);
                    while (done < STEPS) {
                        exchange(other, collective);
                        done++;
                        state.commit();
                    }
                }
            });
            return done;
        }

        /** Rank 0 asks, rank 1 answers. */
        private void exchange(Socket other, Collective collective) throws IOException {
            if (collective.rank() == 0) {
                other.getOutputStream().write(done);
            }
            if (other.getInputStream().read() != done) {
                throw new EOFException(Integer.toString(1 - collective.rank()));
            }
            if (collective.rank() == 1) {
                answer.run(done, collective);
                other.getOutputStream().write(done);
            }
        }

        private static Socket connect(Collective collective) throws IOException {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            int[] port = new int[1];
            if (collective.rank() == 1) {
                collective.broadcast(port, 0);
                return new Socket(loopback, port[0]);
            }
            try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
                server.setSoTimeout(SOCKET_MILLIS);
                port[0] = server.getLocalPort();
                collective.broadcast(port, 0);
                return server.accept();
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        startWorker();
        startWorker();
    }

    @AfterEach
    void stop() {
        workers.forEach(WorkerRuntime::close);
        threads.shutdownNow();
        agents.forEach(TestAgent::close);
    }

    @Test
    void peerDies_survivorReportsItAndGoesOnWithItsReplacement() throws Exception {
        Program survivor = new Program(workers.get(0), (step, collective) -> {});
        Program dying = new Program(workers.get(1), (step, collective) -> {
            if (step == LAST_COMMIT) {
                throw new IllegalStateException("killed");
            }
        });
        Future<Integer> survived = submit(survivor::run);
        Future<Integer> died = submit(dying::run);
        work(1, 0, 1);
        assertThatThrownBy(() -> died.get(10, TimeUnit.SECONDS)).hasRootCauseMessage("killed");
        workers.get(1).close();
        await().until(() -> !lost(0).isEmpty());

        agents.get(0).pause(1);
        startWorker();
        Program replacement = new Program(workers.get(2), (step, collective) -> {});
        Future<Integer> replaced = submit(replacement::run);
        work(2, 0, 2);

        assertThat(survived.get(10, TimeUnit.SECONDS)).isEqualTo(STEPS);
        assertThat(replaced.get(10, TimeUnit.SECONDS)).isEqualTo(STEPS);
        assertThat(survivor.begun).containsExactly("round 1 at 0", "round 2 at " + LAST_COMMIT);
        assertThat(replacement.begun).containsExactly("round 2 at " + LAST_COMMIT);
        assertThat(lost(0)).containsExactly(new UpMessage.PeerLost(1, 1));
    }

    @Test
    void connectionBreaks_bothReportItAndConnectAnew() throws Exception {
        Program asking = new Program(workers.get(0), (step, collective) -> {});
        Program answering = new Program(workers.get(1), (step, collective) -> {
            if (step == LAST_COMMIT && collective.round() == 1) {
                throw new EOFException("0");
            }
        });
        List<Future<Integer>> results = List.of(submit(asking::run), submit(answering::run));
        work(1, 0, 1);
        await().until(() -> !lost(0).isEmpty() && !lost(1).isEmpty());

        agents.get(0).pause(1);
        agents.get(1).pause(1);
        work(2, 0, 1);

        for (Future<Integer> result : results) {
            assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo(STEPS);
        }
        assertThat(asking.begun)
                .isEqualTo(answering.begun)
                .containsExactly("round 1 at 0", "round 2 at " + LAST_COMMIT);
        assertThat(lost(0)).containsExactly(new UpMessage.PeerLost(1, 1));
        assertThat(lost(1)).containsExactly(new UpMessage.PeerLost(1, 0));
    }

    private List<UpMessage.PeerLost> lost(int worker) {
        return agents.get(worker).up(UpMessage.PeerLost.class);
    }

    /** On a node of its own. */
    private void startWorker() throws IOException {
        TestAgent agent = new TestAgent(directory.resolve("node" + agents.size()), 0);
        agents.add(agent);
        agent.pause(0);
        WorkerRuntime worker = WorkerRuntime.start(agent.environment());
        workers.add(worker);
        worker.ready();
    }

    /** A round of these workers, by rank. */
    private void work(long round, int... members) throws IOException {
        int[] ports = new int[members.length];
        for (int rank = 0; rank < members.length; rank++) {
            ports[rank] =
                    agents.get(members[rank]).up(UpMessage.Ready.class).get(0).port();
        }
        for (int rank = 0; rank < members.length; rank++) {
            agents.get(members[rank]).peers(round, ports);
            agents.get(members[rank]).work(round, rank, members.length);
        }
    }

    private <T> Future<T> submit(Callable<T> program) {
        return threads.submit(program);
    }
}
