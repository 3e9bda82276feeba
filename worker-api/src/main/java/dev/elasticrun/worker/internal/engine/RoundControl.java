/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;

/** The view of the file channel that the data plane uses. Implemented by the runtime, and by doubles in tests. */
public interface RoundControl {

    /** Whether the round of WORK event {@code seq} may be worked in: no newer event, and the lease deadline not passed. */
    boolean isOpen(long seq);

    /** Blocks until the round is open again (true) or an event newer than {@code seq} arrived (false). */
    boolean awaitOpen(long seq) throws InterruptedException;

    /** Blocks, without a bound, until an event newer than {@code seq} arrived, and returns the newest. */
    WorkerEvent awaitNewer(long seq) throws InterruptedException;

    /** Blocks, without a bound, until there is WORK newer than event {@code seq} that may be worked in, and returns it. */
    WorkerEvent awaitNewerWork(long seq) throws InterruptedException;

    /** Where the workers of the round of this WORK event listen. */
    PeerTable peers(WorkerEvent work);

    /** All ranks have completed this checkpoint. Must cost next to nothing. */
    default void committed(long version) {}

    /** Sends a message to the agent. Does not throw. */
    void report(UpMessage message);
}
