/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A program that counts until a file {@code finish} is in the directory of the run. */
final class CountProgram implements Snapshotable {
    private static final Path DIRECTORY = Path.of(System.getenv(ElasticRun.DIRECTORY));

    private final ElasticState state = ElasticState.of(this);
    private long count;

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("leave-a-process")) {
            // Without what its agent would find it by.
            ProcessBuilder left = new ProcessBuilder("setsid", "sleep", "60").inheritIO();
            left.environment().keySet().retainAll(List.of("PATH", ElasticRun.DIRECTORY));
            left.start();
        }
        CountProgram program = new CountProgram();
        ElasticLoop.run(program.state, program::work);
    }

    private void work(Collective collective) {
        long[] finished = {0};
        while (finished[0] == 0) {
            finished[0] = Files.exists(DIRECTORY.resolve("finish")) ? 1 : 0;
            collective.allReduce(finished, ReduceOp.MAX);
            count++;
            state.commit();
            ElasticRuntime.progress(count);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        System.out.println("rank " + collective.rank() + " of " + collective.worldSize());
    }

    @Override
    public byte[] save() {
        return ByteBuffer.allocate(Long.BYTES).putLong(count).array();
    }

    @Override
    public void restore(byte[] snapshot) {
        count = ByteBuffer.wrap(snapshot).getLong();
    }
}
