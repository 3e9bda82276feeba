/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.chaos.fault.Fault;
import java.util.OptionalLong;

/**
 * What followed from a fault. Times are nanoseconds from the fault.
 *
 * @param outcome what became of it
 * @param detected until its agent, or for a dead agent the coordinator, reported it
 * @param resumed until every worker of a later round had completed its first operation in it
 * @param complete until the same held for a round of the size before the fault
 */
record Recovery(Fault fault, Outcome outcome, OptionalLong detected, OptionalLong resumed, OptionalLong complete) {

    /** What became of a fault. */
    enum Outcome {
        /** All workers of a later round work. */
        RECOVERED("recovered"),
        /** The victim had no rank: nobody had to stop. */
        WITHOUT_RANK("victim without a rank"),
        /** No agent reported it: the victim ended for another reason first. */
        NOT_REPORTED("not reported by itself"),
        /** It was reported, and no later round worked. */
        OPEN("not recovered from");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    static Recovery none(Fault fault, Outcome outcome, OptionalLong detected) {
        return new Recovery(fault, outcome, detected, OptionalLong.empty(), OptionalLong.empty());
    }
}
