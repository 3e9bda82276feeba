/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;
import java.util.stream.Collectors;

/** Renders causes for display. */
public final class CauseText {
    private CauseText() {}

    /** One line, empty for none. */
    public static String of(List<? extends Cause> causes) {
        return causes.stream().map(CauseText::of).collect(Collectors.joining("; "));
    }

    private static String of(Cause cause) {
        if (cause instanceof Cause.Started started) {
            return "start with " + started.nodes() + (started.nodes() == 1 ? " node" : " nodes");
        } else if (cause instanceof Cause.WorkersFailed failed) {
            return "worker failed on " + names(failed.nodes())
                    + (failed.withoutRestart().isEmpty()
                            ? ""
                            : ", and no restart is left for " + names(failed.withoutRestart()))
                    + (failed.collateral() ? ", of no fault of its own" : "");
        } else if (cause instanceof Cause.NodesLost lost) {
            return "lost " + names(lost.nodes());
        } else if (cause instanceof Cause.NodesLeaving leaving) {
            return "leaving " + names(leaving.nodes());
        } else if (cause instanceof Cause.WorkersDone done) {
            return "workers of " + names(done.nodes()) + " were done before it began";
        } else if (cause instanceof Cause.NodesExcluded excluded) {
            return "left out " + names(excluded.nodes());
        } else if (cause instanceof Cause.NodesFenced fenced) {
            return "fenced " + names(fenced.nodes());
        } else if (cause instanceof Cause.LinksBroken) {
            return "workers lost peers whose nodes are alive";
        } else if (cause instanceof Cause.NodesJoined joined) {
            return joined.count() + (joined.count() == 1 ? " node joins" : " nodes join");
        } else if (cause instanceof Cause.WorkersJoined joined) {
            return joined.count() + (joined.count() == 1 ? " worker joins" : " workers join");
        }
        return ofDetail(cause);
    }

    private static String ofDetail(Cause cause) {
        if (cause instanceof Cause.LinkOf link) {
            return "the link of " + link.node() + " to " + link.peer() + " is broken";
        } else if (cause instanceof Cause.AskedByWorker asked) {
            return "a worker excluded " + asked.node() + ": " + asked.message();
        } else if (cause instanceof Cause.NodesUnreliable unreliable) {
            return "without " + names(unreliable.nodes()) + ", whose workers keep failing";
        } else if (cause instanceof Cause.RestartCommanded) {
            return "restart by command";
        } else if (cause instanceof Cause.DrainCommanded) {
            return "drained by command";
        } else if (cause instanceof Cause.ScaleCommanded scale) {
            return "scaled to " + scale.bounds();
        } else if (cause instanceof Cause.StopCommanded stop) {
            return "stopped by command" + (stop.askedBy().isEmpty() ? "" : " of " + stop.askedBy());
        } else if (cause instanceof Cause.Policy policy) {
            return policy.text();
        }
        throw new AssertionError("no text for " + cause);
    }

    private static String names(List<String> nodes) {
        return String.join(", ", nodes);
    }
}
