/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import java.util.concurrent.CompletableFuture;

/** Asks whether an address takes connections. */
public interface Dialer {

    /** Does not block; the future completes on any thread, never exceptionally, and perhaps never. */
    CompletableFuture<DialAnswer> dial(String host, int port);
}
