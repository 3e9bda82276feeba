/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import dev.elasticrun.tune.curve.Curves;
import dev.elasticrun.worker.contract.TrialFiles;

/** Decides which trials are worth going on. Pure: the same reports in the same order give the same decisions. */
public interface StoppingRule {
    /** There is no such step. */
    long NEVER = TrialFiles.NEVER;

    /** Every trial goes to its own end. */
    StoppingRule NONE = new StoppingRule() {
        @Override
        public long nextJudged(int trial, long step) {
            return NEVER;
        }

        @Override
        public boolean goesOn(int trial, long step, Curves known) {
            return true;
        }

        /** The same in all processes: studies are distinguished by it. */
        @Override
        public String toString() {
            return "none";
        }
    };

    /**
     * The first step at which a trial is judged; its workers wait there for the decision. A trial that does not report that step
     * is judged at the next one that it reports.
     *
     * @param step after which; -1 = before the first report
     */
    long nextJudged(int trial, long step);

    /**
     * Whether a trial goes on after a step that is judged.
     *
     * @param step the one that it has reported last
     * @param known what was reported before, that step included
     */
    boolean goesOn(int trial, long step, Curves known);
}
