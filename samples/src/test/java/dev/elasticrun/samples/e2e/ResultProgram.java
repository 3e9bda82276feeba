/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Counts steps until a file exists, then hands over which rank of how many it is; or fails at the end. */
final class ResultProgram implements Snapshotable {
    private static final long STEP_NANOS = 20_000_000;

    private final Path end;
    private final String kind;
    private long step;

    private ResultProgram(Path end, String kind) {
        this.end = end;
        this.kind = kind;
    }

    /** Arguments: the file, and what to hand over: {@code text}, {@code large}, or {@code failure}. */
    public static void main(String[] arguments) throws Exception {
        ResultProgram program = new ResultProgram(Path.of(arguments[0]), arguments[1]);
        ElasticState state = ElasticState.of(program);
        ElasticLoop.run(state, collective -> program.work(collective, state));
    }

    private void work(Collective collective, ElasticState state) {
        long[] isEnd = {0};
        while (isEnd[0] == 0) {
            LockSupport.parkNanos(STEP_NANOS);
            isEnd[0] = collective.rank() == 0 && Files.exists(end) ? 1 : 0;
            collective.allReduce(isEnd, ReduceOp.SUM);
            step++;
            state.commit();
            ElasticRuntime.metric("step", (double) step);
        }
        ElasticRuntime.result("replaced by the next".getBytes(StandardCharsets.UTF_8));
        String text = "rank " + collective.rank() + " of " + collective.worldSize();
        ElasticRuntime.result(kind.equals("large") ? new byte[70_000] : text.getBytes(StandardCharsets.UTF_8));
        if (kind.equals("failure") && collective.rank() == 0) {
            throw new IllegalStateException("failed after its result");
        }
    }

    @Override
    public byte[] save() {
        return ByteBuffer.allocate(Long.BYTES).putLong(step).array();
    }

    @Override
    public void restore(byte[] snapshot) {
        step = ByteBuffer.wrap(snapshot).getLong();
    }
}
