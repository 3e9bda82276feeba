/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a local state on each rank, compares all of them after each change, and ends some steps after a file is there.
 * While another file is there, no rank goes on to a checkpoint after a change.
 */
final class LocalStateProgram {
    private static final int STEPS_AFTERWARDS = 3;
    private static final long PAUSE_NANOS = 50_000_000L;

    /** Which rank this process was when it made its state of a version. */
    private static final Map<Long, Integer> RANKS = new HashMap<>();

    private LocalStateProgram() {}

    /** @param args most bytes of a state, the file that ends the run, and the one that holds it */
    public static void main(String[] args) {
        boolean isDone = false;
        while (!isDone) {
            try {
                run(ElasticRuntime.join(), Integer.parseInt(args[0]), Path.of(args[1]), Path.of(args[2]));
                isDone = true;
            } catch (WorldChangedException e) {
                System.out.println("joins again: " + e.getMessage());
            }
        }
    }

    private static void run(Collective collective, int bytes, Path end, Path hold) {
        compare(collective, bytes);
        int rank = collective.rank();
        long first = collective.version() + 1;
        long last = Long.MAX_VALUE;
        for (long step = first; step <= last; step++) {
            long[] ended = {Files.exists(end) ? 1 : 0};
            collective.allReduce(ended, ReduceOp.MAX);
            if (ended[0] == 1 && last == Long.MAX_VALUE) {
                last = step + STEPS_AFTERWARDS;
            }
            while (step == first && Files.exists(hold)) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            RANKS.put(step, rank);
            collective.checkpoint(new byte[] {(byte) step}, state(rank, step, bytes));
            System.out.println("keeps version " + step + ", one of " + collective.worldSize());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        collective.close();
        System.out.println("done at version " + collective.version());
    }

    private static void compare(Collective collective, int bytes) {
        long version = collective.version();
        if (!collective.lostLocals().isEmpty()) {
            throw new IllegalStateException("lost: " + collective.lostLocals());
        }
        int own = RANKS.getOrDefault(version, collective.rank());
        Optional<byte[]> kept = collective.loadLocal();
        if (RANKS.containsKey(version) || kept.isPresent()) {
            require("own state", state(own, version, bytes), kept.orElseThrow());
            System.out.println("goes on with the state of rank " + own + ", one of " + collective.worldSize());
        }
        collective.orphanedLocals().forEach((of, found) -> {
            require("state of rank " + of, state(of, version, bytes), found);
            System.out.println("has the state of rank " + of + ", one of " + collective.worldSize());
        });
    }

    private static void require(String what, byte[] expected, byte[] found) {
        if (!Arrays.equals(expected, found)) {
            throw new IllegalStateException(what + " has other bytes");
        }
    }

    /** Of another length for each rank. */
    private static byte[] state(int rank, long version, int bytes) {
        byte[] state = new byte[bytes - 1000 * rank];
        new Random(31 * version + rank).nextBytes(state);
        return state;
    }
}
