/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.internal.checkpoint.IncomingBlob;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.engine.ForwardingWire;
import dev.elasticrun.worker.internal.engine.TestCluster;
import dev.elasticrun.worker.internal.engine.TestWorker;
import dev.elasticrun.worker.internal.engine.ThreadListener;
import dev.elasticrun.worker.internal.engine.WrappedNetwork;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.net.Digest;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a newcomer gets a state that others have. */
@Timeout(60)
final class TransferTest {
    private static final int CHUNKS = 24;

    @TempDir
    private Path directory;

    @Test
    void newcomer_threeHolders_eachSendsAThird() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            byte[] state = state();
            commit(cluster, state);
            TestWorker newcomer = cluster.start();
            AtomicInteger[] served = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
            List<byte[]> states = TestCluster.results(join(cluster, 2, cluster.workers, served, Integer.MAX_VALUE));
            assertThat(states).allMatch(each -> Arrays.equals(each, state));
            assertThat(served).extracting(AtomicInteger::get).containsOnly(CHUNKS / 3);
            assertThat(newcomer.plane.inventory().partials()).isEmpty();
        }
    }

    @Test
    void sourceDiesHalfWay_chunksThatArrivedAreNotSentAgain() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            byte[] state = state();
            commit(cluster, state);
            TestWorker newcomer = cluster.start();
            AtomicInteger[] served = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
            List<Future<byte[]>> first = join(cluster, 2, cluster.workers, served, CHUNKS / 6);
            assertThat(TestCluster.failure(first.get(2))).isInstanceOf(Died.class);
            cluster.workers.get(2).close();
            for (TestWorker worker : List.of(cluster.workers.get(0), cluster.workers.get(1), newcomer)) {
                await().until(() -> !worker.control.reports().isEmpty() || worker != newcomer);
                worker.pause(2);
            }
            TestCluster.failure(first.get(3));
            int begun = IntStream.of(0, 1, 2).map(i -> served[i].get()).sum();
            List<CheckpointInventory.Partial> partials =
                    newcomer.plane.inventory().partials();
            int arrived = partials.get(0).arrived().cardinality();
            assertThat(partials).hasSize(1);
            assertThat(arrived)
                    .as("one chunk a stream may be lost, and what was begun by who died")
                    .isBetween(CHUNKS / 6 - 1, begun);
            AtomicInteger[] again = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
            List<TestWorker> rest = List.of(cluster.workers.get(0), cluster.workers.get(1), newcomer);
            List<byte[]> states = TestCluster.results(join(cluster, 3, rest, again, Integer.MAX_VALUE));
            assertThat(states).allMatch(each -> Arrays.equals(each, state));
            assertThat(again[0].get() + again[1].get()).isEqualTo(CHUNKS - arrived);
        }
    }

    @Test
    void chunkIsDamagedOnItsWay_isRefusedAndTheNextRoundBringsTheRest() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            byte[] state = state();
            commit(cluster, state);
            AtomicInteger left = new AtomicInteger(CHUNKS / 2 * IncomingBlob.CHUNK);
            TestWorker newcomer = new TestWorker(
                    new WrappedNetwork(new SocketNetwork(ListenPlace.LOOPBACK), wire -> new DamagingWire(wire, left)),
                    directory.resolve("newcomer"));
            cluster.workers.add(newcomer);
            AtomicInteger[] served = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
            List<Future<byte[]>> first = join(cluster, 2, cluster.workers, served, Integer.MAX_VALUE);
            await().until(() -> !newcomer.control.reports().isEmpty());
            assertThat(newcomer.control.reports().get(0)).isInstanceOf(UpMessage.PeerLost.class);
            cluster.workers.forEach(worker -> worker.pause(2));
            for (Future<byte[]> each : first) {
                assertThat(TestCluster.failure(each)).isInstanceOf(WorldChangedException.class);
            }
            int arrived = newcomer.plane.inventory().partials().get(0).arrived().cardinality();
            assertThat(arrived).isBetween(CHUNKS / 4, CHUNKS - 1);
            AtomicInteger[] again = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
            List<byte[]> states = TestCluster.results(join(cluster, 3, cluster.workers, again, Integer.MAX_VALUE));
            assertThat(states).hasSize(3).allMatch(each -> Arrays.equals(each, state));
            assertThat(again[0].get() + again[1].get()).isEqualTo(CHUNKS - arrived);
        }
    }

    /** Changes a byte of what comes after so many bytes. */
    private static final class DamagingWire extends ForwardingWire {
        private final AtomicInteger left;

        DamagingWire(Wire wire, AtomicInteger left) {
            super(wire);
            this.left = left;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            int start = to.position();
            int read = super.read(to);
            int before = read > 0 ? left.getAndAdd(-read) : 0;
            if (before > 0 && before <= read) {
                to.put(start + read / 2, (byte) ~to.get(start + read / 2));
            }
            return read;
        }
    }

    @Test
    void chunks_ofAnyShipment_areEachSentByOneSource() {
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            List<Integer> holders =
                    IntStream.range(0, 1 + random.nextInt(12)).boxed().toList();
            int length = random.nextInt(60 * IncomingBlob.CHUNK);
            BitSet arrived = new BitSet();
            random.ints(random.nextInt(40), 0, 60).forEach(arrived::set);
            TransferPlan transferPlan =
                    TransferPlan.of(random.nextInt(100), CheckpointInventory.GLOBAL, holders, arrived);
            BitSet sent = new BitSet();
            for (int source : transferPlan.sources()) {
                for (int chunk : transferPlan.chunks(source, length)) {
                    assertThat(sent.get(chunk) || arrived.get(chunk)).isFalse();
                    sent.set(chunk);
                }
            }
            sent.or(arrived);
            assertThat(sent.get(0, Digest.blocks(length)).cardinality()).isEqualTo(Digest.blocks(length));
        }
    }

    private static void commit(TestCluster cluster, byte[] state) throws Exception {
        cluster.run(1, cluster.workers, collective -> {
            collective.checkpoint(state);
            return true;
        });
        cluster.workers.forEach(worker -> worker.pause(1));
    }

    private static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Counts what each rank serves; rank 2 dies when it has served that many. */
    private static List<Future<byte[]>> join(
            TestCluster cluster, long round, List<TestWorker> members, AtomicInteger[] served, int deadly) {
        PeerTable table = TestCluster.table(round, members);
        return cluster.startEach(members.size(), rank -> {
            ThreadListener.set((instant, ofRank, version, seq) -> {
                if (instant == FaultInjector.Instant.SERVING) {
                    if (rank == 2 && served[rank].get() == deadly) {
                        throw new Died();
                    }
                    served[rank].incrementAndGet();
                }
            });
            try {
                Collective collective = members.get(rank).join(table, rank, 1, 0);
                collective.barrier();
                return collective.loadCheckpoint().orElseThrow();
            } finally {
                ThreadListener.clear();
            }
        });
    }

    private static byte[] state() {
        byte[] state = new byte[CHUNKS * IncomingBlob.CHUNK - 12_345];
        new Random(1).nextBytes(state);
        return state;
    }
}
