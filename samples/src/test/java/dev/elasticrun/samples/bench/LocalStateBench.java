/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What parity of local states costs beside one copy of each, for four workers on nodes of their own: a checkpoint, the
 * start of a round in which all are there, and that of a round in which one is lost, until its state is with another
 * worker and all states are protected again. In turns, so that what disturbs the machine hits both. Runs in a process of
 * its own, whose heap holds all workers.
 */
public final class LocalStateBench {
    private static final int MIB = 1 << 20;
    private static final int WORKERS = 4;
    /** Until all buffers are there: two versions, and the next one. */
    private static final int FIRST = 3;

    private static final int MEASURED = 2;
    private static final long WRITTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private LocalStateBench() {}

    static String run(Path directory, int repeats, int mib) {
        // Own and foreign states of three versions, the program's array, and what is computed or received.
        int heapMib = 1024 + WORKERS * 10 * mib;
        return OwnProcess.output(LocalStateBench.class, heapMib, directory.resolve("locals"), repeats, mib);
    }

    /** The process: directory, repetitions, MiB of a state. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        int repeats = Integer.parseInt(arguments[1]);
        int mib = Integer.parseInt(arguments[2]);
        try {
            List<Times> all = List.of(
                    new Times("`--local-replicas 1`", LocalRedundancy.copies(1)),
                    new Times("`--checkpoint-parity 4`", LocalRedundancy.parity(WORKERS)));
            for (int i = -1; i < repeats; i++) {
                for (Times times : all) {
                    measure(directory.resolve("trial"), times, mib, i >= 0);
                }
            }
            System.out.printf(
                    "%n### Local states of %d MiB, %d workers on nodes of their own, %d times%n%n",
                    mib, WORKERS, repeats);
            System.out.println("| ms | checkpoint, median | best | round without a loss, median | best"
                    + " | round that lost a node, median | best |");
            System.out.println("|---|---|---|---|---|---|---|");
            all.forEach(Times::print);
        } finally {
            Project.delete(directory);
        }
    }

    /** Milliseconds of all trials with one kind of protection; the first trial warms up. */
    private record Times(
            String name, LocalRedundancy redundancy, List<Double> commits, List<Double> calm, List<Double> recovered) {
        Times(String name, LocalRedundancy redundancy) {
            this(name, redundancy, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }

        void print() {
            System.out.printf(Locale.ROOT, "| %s | %s | %s | %s |%n", name, row(commits), row(calm), row(recovered));
        }

        private static String row(List<Double> millis) {
            Distribution all = Distribution.of(
                    millis.stream().mapToDouble(Double::doubleValue).toArray());
            return String.format(Locale.ROOT, "%.0f | %.0f", all.median(), all.quantile(0));
        }
    }

    private static void measure(Path directory, Times times, int mib, boolean counts) throws Exception {
        CheckpointOptions options =
                new CheckpointOptions(times.redundancy(), false, false, Optional.empty(), 1, Optional.empty());
        try (RankThreads ranks = new RankThreads(directory, true, options)) {
            for (int rank = 0; rank < WORKERS; rank++) {
                ranks.add();
            }
            List<List<Double>> commits = ranks.run(collective -> commit(collective, mib), new ArrayList<>());
            double calm = join(ranks);
            byte[] lost = state(WORKERS - 1, mib);
            ranks.removeLast();
            List<Double> joins = new ArrayList<>();
            List<Boolean> found = ranks.run(collective -> hasLost(collective, lost), joins);
            if (Collections.frequency(found, true) != 1) {
                throw new IllegalStateException("the lost state is with " + found + " (expected: one rank)");
            }
            if (counts) {
                times.commits().addAll(commits.get(0));
                times.calm().add(calm);
                times.recovered().add(Collections.max(joins));
            }
        } finally {
            Project.delete(directory);
        }
    }

    /** Until the last rank has joined. */
    private static double join(RankThreads ranks) throws Exception {
        List<Double> joins = new ArrayList<>();
        ranks.run(collective -> true, joins);
        return Collections.max(joins);
    }

    /** Checkpoints whose files are written before the next one, as far as the disk lets them. */
    private static List<Double> commit(Collective collective, int mib) {
        byte[] local = state(collective.rank(), mib);
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < FIRST + MEASURED; i++) {
            LockSupport.parkNanos(WRITTEN_NANOS);
            collective.barrier();
            long start = System.nanoTime();
            collective.checkpoint(new byte[] {(byte) i}, local);
            if (i >= FIRST) {
                millis.add((System.nanoTime() - start) / 1e6);
            }
        }
        LockSupport.parkNanos(WRITTEN_NANOS);
        return millis;
    }

    private static boolean hasLost(Collective collective, byte[] lost) {
        return collective.orphanedLocals().values().stream().anyMatch(found -> Arrays.equals(found, lost));
    }

    private static byte[] state(int rank, int mib) {
        byte[] state = new byte[mib * MIB];
        new Random(rank).nextBytes(state);
        return state;
    }
}
