/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.testing.Patience;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A worker whose steps are an all-reduce, a commit and a pause, each of which it writes down as {@code ddp.py} does, for
 * {@link StepLog}. Ends with its run. Arguments: milliseconds of the pause, directory of the files.
 */
public final class StepLogWorker {
    private StepLogWorker() {}

    public static void main(String[] arguments) throws Exception {
        Duration pause = Duration.ofMillis(Integer.parseInt(arguments[0]));
        Path file = Path.of(arguments[1], ProcessHandle.current().pid() + StepLog.SUFFIX);
        Count count = new Count();
        ElasticState state = ElasticState.of(count);
        try (BufferedWriter lines = Files.newBufferedWriter(file)) {
            ElasticLoop.run(state, collective -> work(collective, count, state, lines, pause));
        }
    }

    private static void work(
            Collective collective, Count count, ElasticState state, BufferedWriter lines, Duration pause)
            throws IOException {
        while (!Thread.currentThread().isInterrupted()) {
            collective.allReduce(new double[] {collective.rank()}, ReduceOp.SUM);
            count.steps++;
            state.commit();
            lines.write(System.nanoTime() + " " + collective.worldSize() + " " + count.steps + "\n");
            lines.flush();
            Patience.pause(pause);
        }
    }

    /** Steps done. */
    private static final class Count implements Snapshotable {
        private long steps;

        @Override
        public byte[] save() {
            return ByteBuffer.allocate(Long.BYTES).putLong(steps).array();
        }

        @Override
        public void restore(byte[] snapshot) {
            steps = ByteBuffer.wrap(snapshot).getLong();
        }
    }
}
