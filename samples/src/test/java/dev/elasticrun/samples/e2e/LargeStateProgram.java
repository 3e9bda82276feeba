/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** Keeps a state whose bytes are the number of the step, and ends some steps after a file is there. */
final class LargeStateProgram {
    private static final int STEPS_AFTERWARDS = 3;
    private static final long PAUSE_NANOS = 50_000_000L;

    private LargeStateProgram() {}

    /** @param args bytes of the state, and the file */
    public static void main(String[] args) {
        byte[] state = new byte[Integer.parseInt(args[0])];
        boolean isDone = false;
        while (!isDone) {
            try {
                run(ElasticRuntime.join(), state, Path.of(args[1]));
                isDone = true;
            } catch (WorldChangedException e) {
                System.out.println("joins again: " + e.getMessage());
            }
        }
    }

    private static void run(Collective collective, byte[] state, Path end) {
        long first = collective.version();
        byte[] found = collective.loadCheckpoint().orElse(new byte[state.length]);
        fill(state, first);
        if (!Arrays.equals(found, state)) {
            throw new IllegalStateException("not the state of version " + first);
        }
        System.out.println("begins at version " + first);
        long last = Long.MAX_VALUE;
        for (long step = first + 1; step <= last; step++) {
            long[] ended = {Files.exists(end) ? 1 : 0};
            collective.allReduce(ended, ReduceOp.MAX);
            if (ended[0] == 1 && last == Long.MAX_VALUE) {
                last = step + STEPS_AFTERWARDS;
            }
            fill(state, step);
            collective.checkpoint(state);
            System.out.println("keeps version " + step);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        collective.close();
        System.out.println("done at version " + collective.version());
    }

    private static void fill(byte[] state, long step) {
        Arrays.fill(state, (byte) step);
    }
}
