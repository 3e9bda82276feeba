/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Three loops one after the other, as of a cross-validation; the second one lasts until a file is there. */
final class FoldsProgram implements Snapshotable {
    static final int STEPS = 10;
    private static final int FOLDS = 3;
    private static final int OPEN_END = 1;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final long[] sums = new long[FOLDS];
    private final long[] steps = new long[FOLDS];
    private long step;
    private long sum;

    private final Path end;
    private final List<Integer> entered = new ArrayList<>();

    private FoldsProgram(Path end) {
        this.end = end;
    }

    /** @param arguments the file that ends the second loop, and whether the state is lazy */
    public static void main(String[] arguments) throws Exception {
        new FoldsProgram(Path.of(arguments[0])).run(Boolean.parseBoolean(arguments[1]));
    }

    private void run(boolean isLazy) throws Exception {
        ElasticState state = (isLazy ? ElasticState.lazy(this) : ElasticState.of(this)).acrossLoops();
        for (int fold = 0; fold < FOLDS; fold++) {
            int held = fold;
            step = 0;
            sum = 0;
            ElasticLoop.run(state, collective -> work(collective, state, held));
        }
        // In words that a test can verify: each step of a fold adds its number and one.
        System.out.println("steps " + Arrays.toString(steps) + " sums " + Arrays.toString(sums) + " entered " + entered
                + " version " + state.version());
    }

    private void work(Collective collective, ElasticState state, int fold) {
        entered.add(fold);
        boolean isOpen = true;
        while (isOpen) {
            LockSupport.parkNanos(STEP_NANOS);
            long[] values = {fold + 1, fold != OPEN_END || Files.exists(end) ? 1 : 0, sum};
            collective.allReduce(values, ReduceOp.SUM);
            if (values[2] != sum * collective.worldSize()) {
                throw new IllegalStateException("ranks have different sums: " + sum + " is this one's");
            }
            sum += values[0] / collective.worldSize();
            step++;
            isOpen = step < STEPS || values[1] == 0;
            ElasticRuntime.progress((long) STEPS * fold + step);
            System.out.println("fold " + fold + " has done step " + step);
            if (isOpen) {
                state.commit();
            }
        }
        sums[fold] = sum;
        steps[fold] = step;
    }

    @Override
    public byte[] save() {
        ByteBuffer saved =
                ByteBuffer.allocate((2 + 2 * FOLDS) * Long.BYTES).putLong(step).putLong(sum);
        Arrays.stream(sums).forEach(saved::putLong);
        Arrays.stream(steps).forEach(saved::putLong);
        return saved.array();
    }

    @Override
    public void restore(byte[] snapshot) {
        ByteBuffer saved = ByteBuffer.wrap(snapshot);
        step = saved.getLong();
        sum = saved.getLong();
        Arrays.setAll(sums, i -> saved.getLong());
        Arrays.setAll(steps, i -> saved.getLong());
    }
}
