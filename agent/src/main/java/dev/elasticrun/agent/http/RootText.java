/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.events.RunEvent;

/** The root cause of a failed run, for the page. Pure. */
public final class RootText {
    private RootText() {}

    /** Worker, message and stack, a line each. */
    public static String of(RunEvent.Root root) {
        String worker = (root.rootRank() < 0 ? "Local rank " + root.rootSlot() : "Rank " + root.rootRank())
                + " on node " + root.rootNode() + ", attempt " + root.rootAttempt();
        return (worker + "\n" + root.rootMessage() + "\n" + root.rootStack()).strip();
    }
}
