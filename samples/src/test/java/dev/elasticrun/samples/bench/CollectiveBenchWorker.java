/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import com.sun.management.ThreadMXBean;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.WorkerState;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.engine.DataPlane;
import dev.elasticrun.worker.internal.engine.Exchanges;
import dev.elasticrun.worker.internal.engine.RoundControl;
import dev.elasticrun.worker.internal.engine.SteadyRound;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Credentials;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * One rank of the benchmark of collectives, a process of its own without an agent: arguments are a directory shared by
 * all ranks, which holds certificates in {@code tls} if there is to be TLS, the rank, the world size, the transport, the
 * number of nodes. Rank 0 prints a line {@code <bytes> <mean us> <best us> <first us> <allocated bytes per call>} for each
 * size: mean and best batch after the warm-up, the first batch of all, in which most is compiled. And
 * {@code check <ns>} for the look at the event channel that precedes each call.
 */
public final class CollectiveBenchWorker {
    private static final String INCARNATION = "bench";
    private static final int BATCHES = 5;

    private CollectiveBenchWorker() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        int rank = Integer.parseInt(arguments[1]);
        int size = Integer.parseInt(arguments[2]);
        Path own = Files.createDirectories(directory.resolve("worker" + rank));
        try (Head head = Head.create(own.resolve("head"));
                DataPlane plane = new DataPlane(
                        new SocketNetwork(ListenPlace.LOOPBACK),
                        control(head),
                        new Exchanges(Transport.parse(arguments[3]), Optional.of(own)),
                        WaitLimits.STANDARD,
                        ReplayLimits.OFF,
                        directory.resolve("checkpoint"),
                        CheckpointOptions.STANDARD)) {
            head.publish(1, 1, WorkerState.HEALTHY);
            int port = plane.listen(0, credentials(directory.resolve("tls")), INCARNATION);
            Collective collective = new Collective(plane.join(
                    SteadyRound.work(INCARNATION, 1, rank, rank, size),
                    peers(directory, rank, size, port, Integer.parseInt(arguments[4]))));
            for (CollectiveSize each : CollectiveSize.values()) {
                measure(collective, each);
            }
            if (rank == 0) {
                System.out.printf(Locale.ROOT, "check %.1f%n", checkNanos(control(head)));
            }
            collective.close();
        }
    }

    /** With TLS if there are certificates. */
    private static Credentials credentials(Path certificates) throws IOException {
        return new Credentials(
                new byte[] {1, 2, 3},
                Files.exists(certificates)
                        ? Optional.of(TlsFiles.in(certificates).read().context())
                        : Optional.empty());
    }

    private static void measure(Collective collective, CollectiveSize size) {
        float[] values = new float[size.bytes() / Float.BYTES];
        double first = batch(collective, values, size.calls());
        for (int batch = 1; batch < size.warmUps(); batch++) {
            repeat(collective, values, size.calls());
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double best = Double.MAX_VALUE;
        double sum = 0;
        collective.barrier();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        for (int batch = 0; batch < BATCHES; batch++) {
            double micros = batch(collective, values, size.calls());
            best = Math.min(best, micros);
            sum += micros;
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
        if (collective.rank() == 0) {
            System.out.printf(
                    Locale.ROOT,
                    "%d %.2f %.2f %.2f %d%n",
                    size.bytes(),
                    sum / BATCHES,
                    best,
                    first,
                    allocated / ((long) BATCHES * size.calls()));
        }
    }

    /** Mean time of a call, in us. */
    private static double batch(Collective collective, float[] values, int calls) {
        long start = System.nanoTime();
        repeat(collective, values, calls);
        return (System.nanoTime() - start) / 1e3 / calls;
    }

    private static void repeat(Collective collective, float[] values, int calls) {
        for (int i = 0; i < calls; i++) {
            collective.allReduce(values, ReduceOp.SUM);
        }
    }

    private static double checkNanos(RoundControl control) {
        int calls = 5_000_000;
        double best = Double.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                if (!control.isOpen(1)) {
                    throw new IllegalStateException("the round was closed");
                }
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) calls);
        }
        return best;
    }

    private static PeerTable peers(Path directory, int rank, int size, int port, int nodes) throws IOException {
        Path temporary = directory.resolve("." + rank);
        Files.writeString(temporary, Integer.toString(port));
        Files.move(temporary, directory.resolve("port" + rank), StandardCopyOption.ATOMIC_MOVE);
        List<PeerTable.Peer> peers = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        for (int each = 0; each < size; each++) {
            Path file = directory.resolve("port" + each);
            while (!Files.exists(file)) {
                if (System.nanoTime() > deadline) {
                    throw new IOException(file + " did not appear in 60 s");
                }
                LockSupport.parkNanos(1_000_000);
            }
            int theirs = Integer.parseInt(Files.readString(file, StandardCharsets.US_ASCII));
            peers.add(new PeerTable.Peer(each, "node" + each * nodes / size, "127.0.0.1", theirs));
        }
        return new PeerTable(1, peers);
    }

    /** As the runtime asks the channel: two longs of mapped memory and the clock. */
    private static RoundControl control(Head head) {
        return new SteadyRound.Control(seq -> head.seq() <= seq && System.nanoTime() <= head.leaseDeadlineNanos());
    }
}
