/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Workers in one JVM that talk over loopback TCP; a thread per rank. */
public final class TestCluster implements AutoCloseable {
    /** Ranks that wait for each other take turns on few processors, beside what else runs there. */
    private static final long LIMIT_SECONDS = 50;

    public final List<TestWorker> workers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Path directory;

    public interface Program<T> {
        public T run(Collective collective) throws Exception;
    }

    public interface RankProgram<T> {
        public T run(int rank) throws Exception;
    }

    public TestCluster(Path directory, int size) {
        this.directory = directory;
        for (int i = 0; i < size; i++) {
            start();
        }
    }

    /** Over shared memory all are on one node, else neighbours two by two, and each has a directory of its own. */
    static TestCluster of(Path directory, Transport transport, WaitLimits waits, ReplayLimits limits, int size) {
        TestCluster cluster = new TestCluster(directory, 0);
        for (int i = 0; i < size; i++) {
            cluster.start(transport, waits, limits);
        }
        return cluster;
    }

    /** One more process. */
    public TestWorker start(Transport transport, WaitLimits waits, ReplayLimits limits) {
        Path own = directory.resolve("worker" + workers.size());
        String node = "shared" + (transport == Transport.SHM ? 0 : workers.size() / 2);
        TestWorker worker = transport == Transport.TCP
                ? new TestWorker(own, waits, limits)
                : TestWorker.sharing(node, transport, own, waits, limits);
        workers.add(worker);
        return worker;
    }

    /** One more process on a node of its own. */
    public TestWorker start() {
        TestWorker worker = new TestWorker(directory.resolve("node" + workers.size()));
        workers.add(worker);
        return worker;
    }

    public static PeerTable table(long round, List<TestWorker> members) {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            TestWorker member = members.get(rank);
            peers.add(new PeerTable.Peer(rank, member.node.orElse("n" + rank), "127.0.0.1", member.port));
        }
        return new PeerTable(round, peers);
    }

    /** All join and run the program; results by rank. */
    public <T> List<T> run(long round, List<TestWorker> members, Program<T> program) throws Exception {
        return results(start(round, members, program));
    }

    public <T> List<Future<T>> start(long round, List<TestWorker> members, Program<T> program) {
        PeerTable table = table(round, members);
        return startEach(members.size(), rank -> program.run(members.get(rank).join(table, rank, 0, 0)));
    }

    public <T> List<Future<T>> startEach(int size, RankProgram<T> program) {
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int rank = i;
            futures.add(threads.submit(() -> program.run(rank)));
        }
        return futures;
    }

    public <T> Future<T> startOne(Callable<T> program) {
        return threads.submit(program);
    }

    public static <T> List<T> results(List<Future<T>> futures) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        return results;
    }

    public static Throwable failure(Future<?> future) throws InterruptedException, TimeoutException {
        try {
            Object result = future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, got " + result);
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    @Override
    public void close() {
        workers.forEach(TestWorker::close);
        threads.shutdownNow();
    }
}
