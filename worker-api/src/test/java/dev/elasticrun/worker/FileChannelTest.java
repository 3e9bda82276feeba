/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker on a real channel directory. */
@Timeout(60)
final class FileChannelTest {
    @TempDir
    private Path node;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<WorkerRuntime> runtimes = new ArrayList<>();

    @AfterEach
    void close() {
        runtimes.forEach(WorkerRuntime::close);
        threads.shutdownNow();
    }

    @Test
    void info_reportsReadyAndBlocksUntilWork() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.pause(0);
            WorkerRuntime worker = start(agent);
            Future<WorkerInfo> info = submit(worker::info);
            await().until(() -> agent.up(UpMessage.Ready.class).size() == 1);
            assertThat(worker.event().workerState()).isEqualTo(WorkerState.PAUSED);
            assertThat(info).isNotDone();
            agent.work(1, 0, 1);
            assertThat(get(info).round()).isEqualTo(1);
            assertThat(worker.info().round()).isEqualTo(1);
            assertThat(worker.isPaused()).isFalse();
            assertThat(worker.isChanged(1)).isFalse();
            assertThat(agent.up(UpMessage.Ready.class)).hasSize(1);
        }
    }

    @Test
    void events_backToBack_everyPauseIsAcknowledgedAndTheNewestWins() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.pause(0);
            WorkerRuntime worker = start(agent);
            List<Long> seen = new CopyOnWriteArrayList<>();
            worker.addListener(event -> seen.add(event.seq()));
            List<Long> pauses = new ArrayList<>(List.of(1L));
            for (int round = 1; round <= 100; round++) {
                agent.work(round, 0, 1);
                pauses.add(agent.pause(round));
            }
            agent.work(101, 0, 1);
            assertThat(worker.awaitWork(100).round()).isEqualTo(101);
            assertThat(agent.up(UpMessage.Ack.class))
                    .extracting(UpMessage.Ack::seq)
                    .isEqualTo(pauses);
            assertThat(seen).isSorted();
        }
    }

    @Test
    void awaitWork_sameRoundAgainAfterAPause_returns() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.work(4, 0, 1);
            WorkerRuntime worker = start(agent);
            assertThat(worker.info().round()).isEqualTo(4);
            Future<WorkerInfo> next = submit(() -> worker.awaitWork(4));
            agent.pause(4);
            await().until(worker::isPaused);
            assertThat(next).isNotDone();
            agent.work(4, 0, 1);
            assertThat(get(next).round()).isEqualTo(4);
        }
    }

    @Test
    void leaseDeadlinePassed_infoBlocksUntilItIsRenewed() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.work(4, 0, 1);
            agent.head.leaseDeadline(System.nanoTime() - 1);
            WorkerRuntime worker = start(agent);
            Future<WorkerInfo> info = submit(worker::info);
            await().until(() -> agent.up(UpMessage.Ready.class).size() == 1);
            assertThat(worker.isPaused()).isTrue();
            assertThat(worker.isChanged(4)).isTrue();
            assertThat(info).isNotDone();
            agent.head.leaseDeadline(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
            assertThat(get(info).round()).isEqualTo(4);
        }
    }

    @Test
    void events_oldOnesRemovedAndOneDamaged_areSkipped() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            for (int round = 1; round <= 9; round++) {
                agent.work(round, 0, 1);
            }
            for (int seq = 1; seq <= 6; seq++) {
                Files.delete(agent.layout.event(seq));
            }
            Files.write(agent.layout.event(8), new byte[] {'{'});
            WorkerRuntime worker = start(agent);
            assertThat(worker.awaitWork(8).round()).isEqualTo(9);
        }
    }

    @Test
    void pause_freesABlockedCollective_andWorkGoesOn() throws Exception {
        try (TestAgent first = new TestAgent(node.resolve("a"), 0);
                TestAgent second = new TestAgent(node.resolve("b"), 0)) {
            List<TestAgent> agents = List.of(first, second);
            first.pause(0);
            second.pause(0);
            List<WorkerRuntime> workers = List.of(start(first), start(second));
            workers.forEach(WorkerRuntime::ready);
            work(agents, 1);
            CountDownLatch committed = new CountDownLatch(1);
            Future<Long> blocked = submit(() -> {
                Collective collective = workers.get(0).join();
                sum(collective);
                collective.checkpoint(new byte[] {1});
                committed.countDown();
                return sum(collective);
            });
            Collective peer = workers.get(1).join();
            assertThat(sum(peer)).isEqualTo(1);
            peer.checkpoint(new byte[] {1});
            assertThat(first.up(UpMessage.Resumed.class))
                    .singleElement()
                    .matches(resumed -> resumed.round() == 1 && resumed.version() == 0);
            assertThat(blocked).isNotDone();

            // A PAUSE between the agreement and the commit is acknowledged with the version before.
            assertThat(committed.await(20, TimeUnit.SECONDS)).isTrue();
            first.pause(1);
            await().until(() ->
                    first.up(UpMessage.Ack.class).stream().anyMatch(ack -> ack.seq() == 3 && ack.version() == 1));
            assertThatThrownBy(() -> get(blocked)).hasCauseInstanceOf(WorldChangedException.class);
            second.pause(1);
            work(agents, 2);
            Future<Collective> joined = submit(() -> workers.get(0).join());
            assertThat(workers.get(1).join().version()).isEqualTo(1);
            assertThat(get(joined).version()).isEqualTo(1);
            assertThat(first.up(UpMessage.PeerLost.class)).isEmpty();
        }
    }

    @Test
    void loop_survivesAChangeInTheSameProcess() throws Exception {
        try (TestAgent first = new TestAgent(node.resolve("a"), 0);
                TestAgent second = new TestAgent(node.resolve("b"), 0)) {
            List<TestAgent> agents = List.of(first, second);
            first.pause(0);
            second.pause(0);
            List<Future<String>> programs = new ArrayList<>();
            for (TestAgent agent : agents) {
                WorkerRuntime worker = start(agent);
                worker.ready();
                programs.add(submit(() -> count(worker, 200)));
            }
            work(agents, 1);
            await().until(() -> Files.exists(first.layout.checkpoints().resolve("0")));
            for (TestAgent agent : agents) {
                agent.pause(1);
            }
            work(agents, 2);
            assertThat(get(programs.get(0))).isEqualTo("200 steps, 2 rounds");
            assertThat(get(programs.get(1))).isEqualTo("200 steps, 2 rounds");
        }
    }

    @Test
    void hard_listensOnThePortsThatTheAgentsHold() throws Exception {
        try (TestAgent first = new TestAgent(node.resolve("a"), 0);
                TestAgent second = new TestAgent(node.resolve("b"), 0);
                Socket held = hold();
                Socket alsoHeld = hold()) {
            List<Future<Long>> sums = new ArrayList<>();
            for (TestAgent agent : List.of(first, second)) {
                agent.peers(1, held.getLocalPort(), alsoHeld.getLocalPort());
                agent.work(1, agent == first ? 0 : 1, 2);
                Map<String, String> environment = new HashMap<>(agent.environment());
                environment.put(WorkerEnv.ROUND, "1");
                WorkerRuntime worker = start(environment);
                sums.add(submit(() -> sum(worker.join())));
            }
            assertThat(get(sums.get(0))).isEqualTo(1);
            assertThat(get(sums.get(1))).isEqualTo(1);
            assertThat(first.up(UpMessage.Ready.class)).isEmpty();
        }
    }

    @Test
    void start_channelThatIsNotThere_isNamed() {
        assertThatThrownBy(() -> WorkerRuntime.start(Map.of("ELASTIC_CHANNEL_DIR", "/nowhere")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/nowhere");
    }

    private static void work(List<TestAgent> agents, long round) throws IOException {
        int[] ports = new int[agents.size()];
        for (int rank = 0; rank < ports.length; rank++) {
            ports[rank] = agents.get(rank).up(UpMessage.Ready.class).get(0).port();
        }
        for (int rank = 0; rank < ports.length; rank++) {
            agents.get(rank).peers(round, ports);
            agents.get(rank).work(round, rank, ports.length);
        }
    }

    /** Counts to the end, adding one per rank and step; commits every step. */
    private static String count(WorkerRuntime worker, int steps) throws Exception {
        long[] done = new long[1];
        int[] rounds = new int[1];
        ElasticState state = ElasticState.of(new Snapshotable() {
            @Override
            public byte[] save() {
                return Long.toString(done[0]).getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            public void restore(byte[] snapshot) {
                done[0] = Long.parseLong(new String(snapshot, StandardCharsets.US_ASCII));
            }
        });
        ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> {
            rounds[0]++;
            while (done[0] < steps) {
                long[] ones = {1};
                collective.allReduce(ones, ReduceOp.SUM);
                assertThat(ones[0]).isEqualTo(collective.worldSize());
                done[0]++;
                state.commit();
                // Slow enough for the change to come while it counts.
                if (collective.round() == 1 && done[0] == steps / 2) {
                    collective.barrier();
                    worker.awaitWork(1);
                }
            }
        });
        return done[0] + " steps, " + rounds[0] + " rounds";
    }

    private static long sum(Collective collective) {
        long[] values = {collective.rank()};
        collective.allReduce(values, ReduceOp.SUM);
        return values[0];
    }

    /** Bound, but not listening. */
    private static Socket hold() throws IOException {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(0));
        return socket;
    }

    private WorkerRuntime start(TestAgent agent) {
        return start(agent.environment());
    }

    private WorkerRuntime start(Map<String, String> environment) {
        WorkerRuntime runtime = WorkerRuntime.start(environment);
        runtimes.add(runtime);
        return runtime;
    }

    private <T> Future<T> submit(Callable<T> program) {
        return threads.submit(program);
    }

    private static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("the program failed", e.getCause());
        }
    }
}
