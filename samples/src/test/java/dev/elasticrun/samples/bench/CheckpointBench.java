/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.BootstrapScope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a checkpoint costs a step beside a copy of as many bytes, and how long a newcomer takes for a state beside a plain
 * socket that carries it: in turns, so that what disturbs the machine hits both. Runs in a process of its own, whose heap
 * holds the state once for each of four workers.
 */
public final class CheckpointBench {
    private static final int MIB = 1 << 20;
    private static final int PIECE = 1 << 18;
    private static final int PEERS = 3;
    private static final int RESULTS = 1000;
    private static final long WRITTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private CheckpointBench() {}

    static String run(Path directory, int repeats, int checkpointMib, int healMib) {
        int heapMib = 2048 + Math.max(10 * checkpointMib, 7 * healMib);
        return OwnProcess.output(
                CheckpointBench.class, heapMib, directory.resolve("checkpoints"), repeats, checkpointMib, healMib);
    }

    /** The process: directory, repetitions, MiB of a checkpoint, MiB that a newcomer takes. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        int repeats = Integer.parseInt(arguments[1]);
        int checkpointMib = Integer.parseInt(arguments[2]);
        int healMib = Integer.parseInt(arguments[3]);
        try {
            System.out.printf("%n### Checkpoint of %d MiB, %d times%n%n", checkpointMib, repeats);
            System.out.println("| ms | copy and barrier, median | best | checkpoint, median | best | ratio of medians"
                    + " | of bests |");
            System.out.println("|---|---|---|---|---|---|---|");
            for (Load load : Load.values()) {
                checkpoint(directory, load, repeats, checkpointMib);
            }
            System.out.printf("%n### A newcomer takes %d MiB from %d peers, %d times%n%n", healMib, PEERS, repeats);
            System.out.println("| | ms, median | best | MiB/s, best | processor time of both sides, best |");
            System.out.println("|---|---|---|---|---|");
            heal(directory, repeats, healMib);
            System.out.printf("%n### A newcomer takes %d bootstrap results of 1 KiB, %d times%n%n", RESULTS, repeats);
            System.out.println("| | ms, median | best |");
            System.out.println("|---|---|---|");
            bootstrap(directory, repeats);
        } finally {
            Project.delete(directory);
        }
    }

    /** What else there is while a checkpoint is made. */
    private enum Load {
        ALONE("the only worker of a node, files are written before the next one", 1, true),
        HALF("one worker on half of the processors, no files", 1, false),
        TWO("two workers at once, no files", 2, false),
        FILES("two workers at once, files written meanwhile", 2, true);

        private final String words;
        private final int world;
        private final boolean writesFiles;

        Load(String words, int world, boolean writesFiles) {
            this.words = words;
            this.world = world;
            this.writesFiles = writesFiles;
        }
    }

    private static void checkpoint(Path directory, Load load, int repeats, int mib) throws Exception {
        Path files = directory.resolve(load.name());
        try (RankThreads ranks = new RankThreads(files, load.writesFiles)) {
            for (int rank = 0; rank < load.world; rank++) {
                ranks.add();
            }
            List<double[][]> results = ranks.run(
                    collective -> {
                        byte[] state = state(mib);
                        byte[][] copies = {state.clone(), state.clone(), state.clone()};
                        double[][] millis = new double[2][repeats];
                        for (int i = -5; i < repeats; i++) {
                            state[i + 5]++;
                            if (load == Load.ALONE) {
                                LockSupport.parkNanos(WRITTEN_NANOS);
                            }
                            collective.barrier();
                            // Into one of three in turn, as two versions and the next must be kept.
                            byte[] copy = copies[(i + 5) % copies.length];
                            double copied = millis(() -> {
                                System.arraycopy(state, 0, copy, 0, state.length);
                                collective.barrier();
                            });
                            collective.barrier();
                            double committed = millis(() -> collective.checkpoint(state));
                            if (i >= 0) {
                                millis[0][i] = copied;
                                millis[1][i] = committed;
                            }
                        }
                        return millis;
                    },
                    new ArrayList<>());
            Distribution copy = Distribution.of(results.get(0)[0]);
            Distribution commit = Distribution.of(results.get(0)[1]);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |%n",
                    load.words,
                    copy.median(),
                    copy.quantile(0),
                    commit.median(),
                    commit.quantile(0),
                    commit.median() / copy.median(),
                    commit.quantile(0) / copy.quantile(0));
        }
    }

    private static void heal(Path directory, int repeats, int mib) throws Exception {
        try (RankThreads ranks = new RankThreads(directory.resolve("heal"), false)) {
            for (int rank = 0; rank < PEERS; rank++) {
                ranks.add();
            }
            byte[] state = state(mib);
            ranks.run(
                    collective -> {
                        collective.checkpoint(state);
                        collective.barrier();
                        return true;
                    },
                    new ArrayList<>());
            double[][] healed = new double[2][repeats];
            double[][] plain = new double[2][repeats];
            double[][] dropped = new double[2][repeats];
            for (int i = -1; i < repeats; i++) {
                ranks.add();
                List<Double> joins = new ArrayList<>();
                double before = processorMillis();
                ranks.run(collective -> true, joins);
                note(healed, i, joins.get(PEERS), before);
                ranks.removeLast();
                before = processorMillis();
                note(plain, i, socket(state, mib, true), before);
                before = processorMillis();
                note(dropped, i, socket(state, mib, false), before);
            }
            row("newcomer, checksummed", healed, mib);
            row("one plain socket into a fresh array", plain, mib);
            row("one plain socket, bytes dropped", dropped, mib);
            System.out.printf(
                    Locale.ROOT,
                    "%nThe newcomer is at %.0f %% of the plain socket into memory, and at %.0f %% of the one that drops"
                            + " (medians).%n",
                    100
                            * Distribution.of(plain[0]).median()
                            / Distribution.of(healed[0]).median(),
                    100
                            * Distribution.of(dropped[0]).median()
                            / Distribution.of(healed[0]).median());
        }
    }

    private static void bootstrap(Path directory, int repeats) throws Exception {
        try (RankThreads ranks = new RankThreads(directory.resolve("bootstrap"), false)) {
            for (int rank = 0; rank < PEERS; rank++) {
                ranks.add();
            }
            double[] without = new double[repeats];
            double[] joined = new double[repeats];
            double[] called = new double[repeats];
            newcomers(ranks, without, new double[repeats], 0);
            ranks.run(collective -> millis(() -> useResults(collective, RESULTS)), new ArrayList<>());
            newcomers(ranks, joined, called, RESULTS);
            System.out.printf("| joins when there are none | %s |%n", row(without));
            System.out.printf("| joins | %s |%n", row(joined));
            System.out.printf("| makes the calls | %s |%n", row(called));
        }
    }

    private static void newcomers(RankThreads ranks, double[] joined, double[] called, int results) throws Exception {
        for (int i = -2; i < joined.length; i++) {
            ranks.add();
            List<Double> joins = new ArrayList<>();
            List<Double> calls = ranks.run(collective -> millis(() -> useResults(collective, results)), joins);
            ranks.removeLast();
            if (i >= 0) {
                joined[i] = joins.get(PEERS);
                called[i] = calls.get(PEERS);
            }
        }
    }

    private static void useResults(Collective collective, int results) {
        byte[] result = new byte[1024];
        for (int i = 0; i < results; i++) {
            collective.bootstrapBroadcast("result " + i, BootstrapScope.JOB, result, 0);
        }
    }

    private static String row(double[] times) {
        Distribution all = Distribution.of(times);
        return String.format(Locale.ROOT, "%.1f | %.1f", all.median(), all.quantile(0));
    }

    private static double socket(byte[] state, int mib, boolean isKept) throws Exception {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel out = SocketChannel.open(server.getLocalAddress());
                SocketChannel in = server.accept()) {
            Thread sender = new Thread(() -> send(state, out), "plain-sender");
            sender.start();
            double millis = millis(() -> receive(in, mib, isKept));
            sender.join();
            return millis;
        }
    }

    private static void send(byte[] state, SocketChannel out) {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try {
            for (int at = 0; at < state.length; at += PIECE) {
                piece.clear().put(state, at, PIECE).flip();
                while (piece.hasRemaining()) {
                    out.write(piece);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void receive(SocketChannel in, int mib, boolean isKept) {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        byte[] state = new byte[isKept ? mib * MIB : PIECE];
        try {
            int at = 0;
            while (at < mib * MIB) {
                int bytes = in.read(piece.clear());
                piece.flip().get(state, isKept ? at : 0, bytes);
                at += bytes;
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first one warms up. */
    private static void note(double[][] all, int time, double millis, double processorBefore) {
        if (time >= 0) {
            all[0][time] = millis;
            all[1][time] = processorMillis() - processorBefore;
        }
    }

    private static void row(String name, double[][] all, int mib) {
        Distribution times = Distribution.of(all[0]);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.0f | %.0f |%n",
                name,
                times.median(),
                times.quantile(0),
                mib * 1000 / times.quantile(0),
                Distribution.of(all[1]).quantile(0));
    }

    private static double processorMillis() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e6;
    }

    private static double millis(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }

    private static byte[] state(int mib) {
        byte[] state = new byte[mib * MIB];
        new Random(1).nextBytes(state);
        return state;
    }
}
