/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of an event.
 *
 * @param effects to be carried out in order
 * @param reason human-readable, for the log; empty when there is nothing worth a line
 */
record Transition(AgentState state, List<AgentEffect> effects, String reason) {

    Transition {
        effects = List.copyOf(effects);
    }

    static Transition stay(AgentState state) {
        return new Transition(state, List.of(), "");
    }

    static Transition to(AgentState state, String reason, AgentEffect... effects) {
        return new Transition(state, List.of(effects), reason);
    }

    /** This transition with more to do. */
    Transition and(AgentEffect... more) {
        List<AgentEffect> all = new ArrayList<>(effects);
        all.addAll(List.of(more));
        return new Transition(state, all, reason);
    }

    /** This transition, followed by another one that began in its state. */
    Transition then(Transition next) {
        List<AgentEffect> all = new ArrayList<>(effects);
        all.addAll(next.effects);
        String reasons = reason.isEmpty() || next.reason.isEmpty() ? reason + next.reason : reason + "; " + next.reason;
        return new Transition(next.state, all, reasons);
    }
}
