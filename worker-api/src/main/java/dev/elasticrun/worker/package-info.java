/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a worker uses: where it stands in the run, the loop that survives changes, and checkpoints.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticLoop;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.ElasticState;
 * import dev.elasticrun.worker.Snapshotable;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import java.nio.ByteBuffer;
 *
 * public final class CountSteps implements Snapshotable {
 *     private long steps;
 *
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> new CountSteps().run());
 *     }
 *
 *     private void run() throws Exception {
 *         ElasticState state = ElasticState.of(this);
 *         ElasticLoop.run(state, collective -> {
 *             while (steps < 1000) {
 *                 long[] present = {1};
 *                 collective.allReduce(present, ReduceOp.SUM);
 *                 steps++;
 *                 state.commit();
 *             }
 *         });
 *     }
 *
 *     @Override
 *     public byte[] save() {
 *         return ByteBuffer.allocate(Long.BYTES).putLong(steps).array();
 *     }
 *
 *     @Override
 *     public void restore(byte[] snapshot) {
 *         steps = ByteBuffer.wrap(snapshot).getLong();
 *     }
 * }
 * }</pre>
 *
 * <p>Each worker runs this {@code main}, started by {@code elastic-run --restart-policy soft-elastic count.jar}. When a worker
 * dies or joins, {@link dev.elasticrun.worker.ElasticLoop} takes all of them back to the last commit and enters the body again.
 * Programs with a loop of their own use {@link dev.elasticrun.worker.ElasticRuntime}.
 */
@NullMarked
package dev.elasticrun.worker;

import org.jspecify.annotations.NullMarked;
