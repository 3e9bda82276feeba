/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of an event.
 *
 * @param effects to be carried out in order
 * @param reason human-readable, for the log; empty when there is nothing worth a line
 * @param notice whether a user is to read the reason: it is no step of a start or of the answer to an incident, which
 *     have lines of their own
 */
record Transition(AgentState state, List<AgentEffect> effects, String reason, boolean notice) {

    Transition {
        effects = List.copyOf(effects);
    }

    static Transition stay(AgentState state) {
        return new Transition(state, List.of(), "", false);
    }

    static Transition to(AgentState state, String reason, AgentEffect... effects) {
        return new Transition(state, List.of(effects), reason, false);
    }

    /** As {@link #to}, with a reason that a user is to read. */
    static Transition noticed(AgentState state, String reason, AgentEffect... effects) {
        return new Transition(state, List.of(effects), reason, true);
    }

    /** This transition with more to do. */
    Transition and(AgentEffect... more) {
        List<AgentEffect> all = new ArrayList<>(effects);
        all.addAll(List.of(more));
        return new Transition(state, all, reason, notice);
    }

    /** This transition, followed by another one that began in its state. */
    Transition then(Transition next) {
        List<AgentEffect> all = new ArrayList<>(effects);
        all.addAll(next.effects);
        String reasons = reason.isEmpty() || next.reason.isEmpty() ? reason + next.reason : reason + "; " + next.reason;
        return new Transition(next.state, all, reasons, notice || next.notice);
    }
}
