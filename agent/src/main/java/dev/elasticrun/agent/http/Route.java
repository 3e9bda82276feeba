/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.io.IOException;

/** What answers requests for a path. Called by several threads at once; may block. */
@FunctionalInterface
public interface Route {

    /** Answers the exchange. An exception that leaves it is logged, and the caller is told that something is wrong. */
    void answer(Exchange exchange) throws IOException;

    /** Whether other sites may have a browser ask for it: nothing that is served is changed or read by that. */
    default boolean forOtherSites() {
        return false;
    }

    /** Whether it may be asked for by any name of this host. */
    default boolean byAnyName() {
        return false;
    }
}
