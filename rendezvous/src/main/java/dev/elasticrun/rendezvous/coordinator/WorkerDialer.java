/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import java.util.concurrent.CompletableFuture;

/** Asks whether a worker's data-plane listener takes connections, from this node. */
@FunctionalInterface
public interface WorkerDialer {

    /**
     * Connects once, with a time-out of its own. Does not block.
     *
     * @return what is wrong; empty when a process listens there. Completes normally, on any thread
     */
    CompletableFuture<String> dial(String address, int port);
}
