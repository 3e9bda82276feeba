/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.faults;

/**
 * For tests that kill a worker at a chosen instant. Found on the class path by {@link java.util.ServiceLoader}; there is
 * none in production. Called on the thread that is at the instant; what it throws goes up from there.
 */
public interface FaultInjector {

    /** Where a worker can die. */
    enum Instant {
        /** An operation begins, a checkpoint among them. */
        OPERATION,
        /** The checkpoint is stored here, and no peer was notified. */
        STAGED,
        /** All ranks have stored it, and it is not committed here. */
        AGREED,
        /** Part of what another rank lacks is about to be sent. */
        SERVING,
        /** Part of what this rank lacks has arrived. */
        FETCHING
    }

    /**
     * @param version checkpoints that the run has completed
     * @param seq operations completed since then
     */
    void at(Instant instant, int rank, long version, long seq);
}
