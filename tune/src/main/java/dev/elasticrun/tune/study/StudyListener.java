/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;

/**
 * Receives the progress of a study, on the driver's thread: while a method runs no trial is judged, and no agent gets an order.
 */
public interface StudyListener {
    StudyListener NONE = new StudyListener() {};

    /** The driver continues a study with so many trials, of which so many have ended. */
    default void continued(int begun, int ended) {}

    /** The study waits. */
    default void waiting(String why) {}

    default void began(Trial trial) {}

    /** The rule ends a trial at its last step. */
    default void stopped(Trial trial) {}

    default void ended(Trial trial) {}

    /** An agent works for a trial that had agents before. */
    default void joined(String agent, Trial trial) {}

    /** An agent is there that was not. */
    default void arrived(String agent) {}

    /** An agent is there that has another key: it gets no order. */
    default void refused(String agent) {}

    /** An agent is no longer there. */
    default void lost(String agent) {}

    /** All that is known was looked at, some times a second; the table changes after the call. */
    default void looked(TrialTable trials) {}
}
