/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/**
 * What must survive: the program's model, its position in the data, and all else that a step depends on. A large or growing state
 * is a {@link StreamedSnapshot}.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.Snapshotable;
 * import java.nio.ByteBuffer;
 *
 * public final class LinearModel implements Snapshotable {
 *     private final double[] weights = new double[30];
 *     private long step;
 *
 *     @Override
 *     public byte[] save() {
 *         ByteBuffer saved = ByteBuffer.allocate(8 + 8 * weights.length).putLong(step);
 *         saved.asDoubleBuffer().put(weights);
 *         return saved.array();
 *     }
 *
 *     @Override
 *     public void restore(byte[] snapshot) {
 *         ByteBuffer saved = ByteBuffer.wrap(snapshot);
 *         step = saved.getLong();
 *         saved.asDoubleBuffer().get(weights);
 *     }
 * }
 * }</pre>
 *
 * <p>Passed to {@link ElasticState#of(Snapshotable)}, or to {@link ElasticState#withLocal(Snapshotable)} if it is each rank's own.
 */
public interface Snapshotable {

    /**
     * Everything that the next step depends on, as bytes; the same bytes on every rank at the same step, unless it is a local state.
     */
    byte[] save();

    /** Goes back to what {@link #save} returned, here or on another worker. */
    void restore(byte[] snapshot);
}
