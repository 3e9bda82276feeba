/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.PeerLink;
import dev.elasticrun.worker.internal.net.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of the workers sends bytes that it should not, anywhere from the first of the handshake to the last of a checkpoint.
 * Nobody may crash or stay: each ends with its results, or with one of the two exceptions that the operations have, and
 * the next round is a healthy one.
 */
@Timeout(120)
@Tag("once")
final class LinkFuzzTest {
    private static final int SEEDS = Integer.getInteger("fuzz.links", 100);

    private static final int LOOK_MILLIS = 10;

    /** At each worker, once the bytes are sent that should not be: time to read them, on a busy machine, too. */
    private static final int LOOKS_AFTERWARDS = 3;

    private static final int MOST_LOOKS = 200;

    @TempDir
    private Path directory;

    @Test
    void sender_mangledBytes_endsTheRoundAndNothingElse() throws Exception {
        long refused = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            refused += play(seed);
        }
        assertThat(refused).as("frames refused over all seeds").isGreaterThan(SEEDS / 5);
    }

    private long play(long seed) throws Exception {
        Random random = new Random(seed);
        MemoryNetwork memory = new MemoryNetwork(PeerLink.PIECE + 4096, Integer.MAX_VALUE);
        AtomicLong left = new AtomicLong(random.nextInt(random.nextBoolean() ? 1000 : 400_000));
        Network mangling = mangled(memory.of(() -> {}), left, random);
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            for (int i = 0; i < 3; i++) {
                cluster.workers.add(new TestWorker(i == 1 ? mangling : memory.of(() -> {}), directory));
            }
            List<Future<Boolean>> futures = start(cluster, 1, LinkFuzzTest::work);
            awaitQuiet(futures, left);
            left.set(Long.MAX_VALUE);
            cluster.workers.forEach(worker -> worker.pause(1));
            for (Future<Boolean> future : futures) {
                requireOrderly(seed, future);
            }
            assertThat(TestCluster.results(start(cluster, 2, Collective::worldSize)))
                    .containsOnly(3);
            return cluster.workers.stream()
                    .mapToLong(worker -> worker.plane.refusedFrames())
                    .sum();
        }
    }

    /** All know of the round when this returns, so that a PAUSE comes after it. None has local rank 0, which would write files. */
    private static <T> List<Future<T>> start(TestCluster cluster, long round, TestCluster.Program<T> program) {
        PeerTable table = TestCluster.table(round, cluster.workers);
        List<WorkerEvent> works = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            works.add(cluster.workers.get(rank).work(table, round, rank, 1, 0));
        }
        return cluster.startEach(
                3,
                rank -> program.run(
                        new Collective(cluster.workers.get(rank).plane.join(works.get(rank), table))));
    }

    private static boolean work(Collective collective) {
        for (int count : new int[] {1, 500, 20_000}) {
            collective.allReduce(new double[count], ReduceOp.SUM);
            collective.broadcast(new int[count], 1);
            collective.checkpoint(new byte[count]);
        }
        return true;
    }

    /** Most plays end by themselves; who waits for the rest of a mangled frame is freed by the agent. */
    private static void awaitQuiet(List<Future<Boolean>> futures, AtomicLong left) throws InterruptedException {
        int looks = 0;
        for (int i = 0; i < MOST_LOOKS && looks < LOOKS_AFTERWARDS; i++) {
            looks += left.get() < 0 ? 1 : 0;
            for (Future<Boolean> future : futures) {
                try {
                    future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    // Judged after the pause.
                }
            }
            if (futures.stream().allMatch(Future::isDone)) {
                return;
            }
        }
    }

    private static void requireOrderly(long seed, Future<Boolean> future) throws Exception {
        try {
            future.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .as("seed %d", seed)
                    .isInstanceOfAny(WorldChangedException.class, CollectiveMismatchException.class);
        } catch (TimeoutException e) {
            throw new AssertionError("seed " + seed + ": a worker stays", e);
        }
    }

    /** From a byte on that the seed chooses, some of what is sent is mangled once. */
    private static Network mangled(Network network, AtomicLong left, Random random) {
        int kind = random.nextInt(5);
        return new WrappedNetwork(network, wire -> new MangledWire(wire, left, kind, random));
    }

    private static final class MangledWire extends ForwardingWire {
        private final AtomicLong left;
        private final int kind;
        private final Random random;

        private MangledWire(Wire wire, AtomicLong left, int kind, Random random) {
            super(wire);
            this.left = left;
            this.kind = kind;
            this.random = random;
        }

        @Override
        public void write(ByteBuffer... parts) throws IOException {
            for (ByteBuffer part : parts) {
                long before = left.getAndAdd(-part.remaining());
                if (before >= 0 && before < part.remaining()) {
                    mangle(part, (int) before);
                } else {
                    super.write(part);
                }
            }
        }

        @Override
        public int offer(ByteBuffer... parts) throws IOException {
            int taken = 0;
            for (ByteBuffer part : parts) {
                int length = part.remaining();
                long before = left.get();
                if (before >= 0 && before < length) {
                    left.addAndGet(-length);
                    mangle(part, (int) before);
                } else {
                    left.addAndGet(-super.offer(part));
                }
                taken += length - part.remaining();
                if (part.hasRemaining()) {
                    return taken;
                }
            }
            return taken;
        }

        private void mangle(ByteBuffer part, int at) throws IOException {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            switch (kind) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes = Arrays.copyOf(bytes, at);
                case 2 -> super.write(ByteBuffer.wrap(bytes));
                case 3 -> super.write(ByteBuffer.wrap(Mutations.noise(1 + random.nextInt(64), random)));
                default -> bytes = Mutations.mutate(bytes, random);
            }
            super.write(ByteBuffer.wrap(bytes));
        }
    }
}
