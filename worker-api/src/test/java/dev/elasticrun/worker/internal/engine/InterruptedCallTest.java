/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread is interrupted in a call that waits for its peers: what is left, and how it goes on. */
@Timeout(60)
final class InterruptedCallTest {
    private static final ReplayLimits KEPT = new ReplayLimits(5, 1 << 20);

    @TempDir
    private Path directory;

    static Stream<Arguments> calls() {
        List<Arguments> all = new ArrayList<>();
        for (Transport transport : List.of(Transport.TCP, Transport.SHM)) {
            for (String call :
                    List.of("barrier", "allReduce", "broadcast", "allGather", "checkpoint", "local", "lazy")) {
                for (int at = 0; at < (call.equals("broadcast") || call.equals("allGather") ? 2 : 1); at++) {
                    all.add(Arguments.of(transport, call, at));
                }
            }
        }
        return all.stream();
    }

    /** Rank 1 makes as many of the call's operations as {@code at} sets, and the rest when rank 0 was interrupted. */
    @ParameterizedTest
    @MethodSource("calls")
    void sameWorld_callMadeAgain_hasTheResult(Transport transport, String name, int at) throws Exception {
        try (TestCluster cluster = TestCluster.of(directory, transport, TestWorker.WAITS, KEPT, 2)) {
            TestWorker first = cluster.workers.get(0);
            AtomicReference<Thread> blocked = new AtomicReference<>();
            Future<Object> result = cluster.startOne(() -> interrupted(joined(cluster, 0), name, blocked));
            Collective peer = joined(cluster, 1);
            if (at == 1) {
                begin(name, peer);
            }
            Thread caller = awaitWaiting(blocked);
            assertThat(first.control.reports()).noneMatch(UpMessage.PeerLost.class::isInstance);
            caller.interrupt();
            // The call is made again, and nobody else need miss anybody for that.
            await().until(() -> first.control.reports().contains(new UpMessage.PeerLost(1, 0)));
            Future<Object> other = cluster.startOne(() -> {
                Object mine = at == 1 ? end(name, peer) : call(name, peer);
                peer.barrier();
                return mine;
            });
            for (TestWorker worker : cluster.workers) {
                worker.pauseToReplace(1);
            }
            PeerTable next = TestCluster.table(2, cluster.workers);
            for (int rank = 0; rank < 2; rank++) {
                cluster.workers.get(rank).work(next, 1, rank);
            }
            List<Object> results = TestCluster.results(List.of(result, other));
            assertThat(results.get(0)).isEqualTo(results.get(1));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHM"})
    void otherWorld_callMadeAgain_throwsTheChange(Transport transport) throws Exception {
        try (TestCluster cluster = TestCluster.of(directory, transport, TestWorker.WAITS, ReplayLimits.OFF, 2)) {
            AtomicReference<Thread> blocked = new AtomicReference<>();
            Future<Object> result = cluster.startOne(() -> interrupted(joined(cluster, 0), "allReduce", blocked));
            joined(cluster, 1);
            awaitWaiting(blocked).interrupt();
            await().until(() -> cluster.workers.get(0).control.reports().contains(new UpMessage.PeerLost(1, 0)));
            cluster.workers.get(0).pause(1);
            assertThat(TestCluster.failure(result)).isInstanceOf(WorldChangedException.class);
        }
    }

    @Test
    void join_interruptedAndMadeAgain_throwsTheChangeAndThenJoins() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            TestWorker first = cluster.workers.get(0);
            PeerTable table = TestCluster.table(1, cluster.workers);
            AtomicReference<Thread> blocked = new AtomicReference<>();
            Future<Long> result = cluster.startOne(() -> {
                WorkerEvent work = first.work(table, 1, 0);
                blocked.set(Thread.currentThread());
                assertThatThrownBy(() -> first.plane.join(work, table)).isInstanceOf(CancellationException.class);
                assertThat(Thread.interrupted()).isTrue();
                assertThatThrownBy(() -> first.plane.join(work, table)).isInstanceOf(WorldChangedException.class);
                return new Collective(first.plane.join(first.control.awaitNewerWork(0), first.control.latestTable()))
                        .round();
            });
            awaitWaiting(blocked).interrupt();
            await().until(() -> first.control.reports().contains(new UpMessage.PeerLost(1, 0)));
            first.pause(1);
            PeerTable next = TestCluster.table(2, cluster.workers);
            first.work(next, 2, 0);
            cluster.workers.get(1).join(next, 1);
            assertThat(TestCluster.results(List.of(result))).containsExactly(2L);
        }
    }

    private static Collective joined(TestCluster cluster, int rank) {
        Collective collective = cluster.workers.get(rank).join(TestCluster.table(1, cluster.workers), 1, rank);
        collective.barrier();
        return collective;
    }

    /** The first time it is interrupted; returns what it gets the second time. */
    private static Object interrupted(Collective collective, String name, AtomicReference<Thread> blocked) {
        blocked.set(Thread.currentThread());
        assertThatThrownBy(() -> call(name, collective)).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
        Object again = call(name, collective);
        collective.barrier();
        return again;
    }

    private static Object call(String name, Collective collective) {
        int rank = collective.rank();
        switch (name) {
            case "barrier" -> collective.barrier();
            case "allReduce" -> {
                long[] values = {rank + 1};
                collective.allReduce(values, ReduceOp.SUM);
                return values[0];
            }
            case "broadcast" -> {
                return collective.broadcastBytes(new byte[] {(byte) rank, 5}, 1)[1];
            }
            case "allGather" -> {
                return collective.allGather(new byte[rank + 1]).get(1).length;
            }
            case "checkpoint" -> collective.checkpoint(new byte[] {1});
            case "local" -> collective.checkpoint(new byte[] {1}, new byte[] {(byte) rank});
            default -> collective.lazyCheckpoint(() -> new byte[] {1});
        }
        return collective.version();
    }

    /** The first operation of a call that consists of two, as rank 1 makes it. */
    private static void begin(String name, Collective peer) {
        if (name.equals("broadcast")) {
            peer.broadcast(new int[] {2}, 1);
        } else {
            peer.allGather(new int[] {2}, new int[2]);
        }
    }

    private static Object end(String name, Collective peer) {
        if (name.equals("broadcast")) {
            peer.broadcast(new byte[] {1, 5}, 0, 2, 1);
            return (byte) 5;
        }
        peer.allGatherInPlace(new byte[3], new int[] {0, 1, 3});
        return 2;
    }

    private static Thread awaitWaiting(AtomicReference<Thread> blocked) {
        await().until(() -> {
            Thread thread = blocked.get();
            return thread != null && isWaiting(thread);
        });
        return Objects.requireNonNull(blocked.get());
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() != Thread.State.RUNNABLE
                && Stream.of(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().endsWith("Wait")
                                || frame.getClassName().endsWith(".FrameMultiplexer")
                                || frame.getClassName().endsWith(".PeerMesh"));
    }
}
