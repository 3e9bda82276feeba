/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What changed in a group besides failed workers. */
final class MembershipChange {
    private MembershipChange() {}

    /** Empty when nothing changed. */
    static List<Cause> causes(GroupView view) {
        List<Cause> causes = new ArrayList<>();
        addNodes(causes, Cause.NodesLost::new, view.in(MemberState.LOST));
        addNodes(causes, Cause.NodesLeaving::new, view.in(MemberState.LEAVING));
        addNodes(causes, Cause.NodesExcluded::new, view.in(MemberState.EXCLUDED));
        addNodes(causes, Cause.NodesFenced::new, view.in(MemberState.FENCED));
        if (view.brokenLinks()) {
            causes.add(new Cause.LinksBroken());
        }
        if (view.readyNewcomers() > 0) {
            causes.add(new Cause.NodesJoined(view.readyNewcomers()));
        }
        if (view.readyWorkers() > 0) {
            causes.add(new Cause.WorkersJoined(view.readyWorkers()));
        }
        return causes;
    }

    private static void addNodes(List<Cause> causes, Function<List<String>, Cause> cause, List<String> nodes) {
        if (!nodes.isEmpty()) {
            causes.add(cause.apply(nodes));
        }
    }
}
