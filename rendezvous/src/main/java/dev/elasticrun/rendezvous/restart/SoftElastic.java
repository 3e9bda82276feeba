/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Set;
import java.util.TreeSet;

/**
 * {@code soft-elastic}: a failed worker leaves alone. All others, also those of its node, continue at once with a rank
 * less; a fresh worker starts beside them and is given a rank when it is ready. Without a restart left none is started,
 * and a node without workers leaves. For nodes that are lost, join or leave it does what {@code soft-no-replace} does.
 */
public final class SoftElastic implements RestartPolicyStrategy {
    private final RestartPolicyStrategy soft = new SoftNoReplace();

    @Override
    public String name() {
        return "soft-elastic";
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public boolean elasticWorkers() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        RestartDecision decision = soft.decide(view);
        if (!(decision instanceof RestartDecision.Reform reform)) {
            return decision;
        }
        Set<String> shrink = new TreeSet<>();
        Set<String> leave = new TreeSet<>(reform.leave());
        for (GroupView.Member member : view.members()) {
            if (member.continuing() > 0 && leave.remove(member.nodeId())) {
                shrink.add(member.nodeId());
            }
        }
        return new RestartDecision.Reform(
                Set.of(), Set.of(), reform.restart(), shrink, leave, reform.charge(), reform.causes());
    }
}
