/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.ArrayList;
import java.util.List;

/** Words for what changed in a group besides failed workers. */
final class MembershipChange {
    private MembershipChange() {}

    /** Empty when nothing changed. */
    static String describe(GroupView view) {
        List<String> changes = new ArrayList<>();
        addNodes(changes, "lost ", view.in(MemberState.LOST));
        addNodes(changes, "leaving ", view.in(MemberState.LEAVING));
        addNodes(changes, "left out ", view.in(MemberState.EXCLUDED));
        addNodes(changes, "fenced ", view.in(MemberState.FENCED));
        if (view.brokenLinks()) {
            changes.add("workers lost peers whose nodes are alive");
        }
        if (view.readyNewcomers() > 0) {
            changes.add(view.readyNewcomers() + (view.readyNewcomers() == 1 ? " node joins" : " nodes join"));
        }
        return String.join("; ", changes);
    }

    private static void addNodes(List<String> changes, String what, List<String> nodes) {
        if (!nodes.isEmpty()) {
            changes.add(what + String.join(", ", nodes));
        }
    }
}
