/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/** What must survive: the program's model, its position in the data, and all else that a step depends on. */
public interface Snapshotable {

    /** Everything that the next step depends on, as bytes; the same bytes on every rank at the same step. */
    byte[] save();

    /** Goes back to what {@link #save} returned, here or on another worker. */
    void restore(byte[] snapshot);
}
