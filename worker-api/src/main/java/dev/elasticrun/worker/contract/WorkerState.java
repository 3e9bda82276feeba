/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

/** What the agent advertises about a worker: whether it may work. */
public enum WorkerState {
    /** The worker has a place in the current round. */
    HEALTHY,
    /** The worker must not work: there is no round for it yet, or its round was closed. */
    PAUSED
}
