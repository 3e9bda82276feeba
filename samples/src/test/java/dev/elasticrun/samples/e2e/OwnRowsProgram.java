/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.StreamedSnapshot;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Each rank counts rows of its own in a local state, and all ranks count all rows in the global one. In each step the sum of the
 * former must be the latter, unless a local state was lost.
 */
final class OwnRowsProgram {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Count all = new Count();
    private final Count own = new Count();
    private final Path end;
    private final ElasticState state;
    /** Rows are missing since then. */
    private boolean hasLost;

    private static final class Count implements Snapshotable, StreamedSnapshot {
        private long number;
        /** As many times as the state is written down. */
        private long saves;

        @Override
        public byte[] save() {
            saves++;
            return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        }

        @Override
        public void restore(byte[] snapshot) {
            number = ByteBuffer.wrap(snapshot).getLong();
        }

        @Override
        public void save(WritableByteChannel to) throws IOException {
            to.write(ByteBuffer.wrap(save()));
        }

        @Override
        public void restore(ReadableByteChannel from) throws IOException {
            restore(Channels.newInputStream(from).readAllBytes());
        }
    }

    private OwnRowsProgram(Path end, String form) {
        this.end = end;
        this.state = switch (form) {
            case "array" -> ElasticState.of((Snapshotable) all).withLocal((Snapshotable) own);
            case "stream" -> ElasticState.of((StreamedSnapshot) all).withLocal((StreamedSnapshot) own);
            case "lazy" -> ElasticState.lazy(all);
            default -> throw new IllegalArgumentException(form);
        };
    }

    /** @param arguments the file that ends the run, and how the states are kept */
    public static void main(String[] arguments) throws Exception {
        OwnRowsProgram program = new OwnRowsProgram(Path.of(arguments[0]), arguments[1]);
        boolean isLazy = arguments[1].equals("lazy");
        ElasticLoop.run(program.state, collective -> program.work(collective, isLazy));
        System.out.println("ended with " + program.all.number + " rows at version " + program.state.version()
                + ", the state was written down " + program.all.saves + " times");
    }

    private void work(Collective collective, boolean isLazy) {
        boolean isLost = !collective.lostLocals().isEmpty();
        if (isLost) {
            System.out.println("lost the rows of ranks " + collective.lostLocals());
        }
        if (!state.isLocalRestored()) {
            own.number = 0;
            System.out.println("begins without rows of its own");
        }
        for (int rank : collective.orphanedRanks()) {
            Count orphan = new Count();
            collective.loadOrphanedLocal(rank, orphan);
            own.number += orphan.number;
            System.out.println("takes over " + orphan.number + " rows");
        }
        boolean isDone = false;
        while (!isDone) {
            LockSupport.parkNanos(STEP_NANOS);
            long[] values = {1, isLazy ? all.number : own.number, Files.exists(end) ? 1 : 0, isLost ? 1 : 0};
            collective.allReduce(values, ReduceOp.SUM);
            long expected = isLazy ? all.number * collective.worldSize() : all.number;
            if (values[1] != expected && values[3] == 0 && !hasLost) {
                throw new IllegalStateException(values[1] + " rows (expected: " + expected + ")");
            }
            hasLost |= values[3] > 0;
            all.number += values[0];
            own.number++;
            isDone = values[2] > 0;
            state.commit();
            System.out.println("version " + state.version());
        }
    }
}
