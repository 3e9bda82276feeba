/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import java.util.Map;

/** What a driver does next. */
public sealed interface StudyAction {

    /** A trial begins; agents follow. */
    record Begin(int trial, Map<String, Object> parameters) implements StudyAction {}

    /** An agent works for a trial. */
    record Assign(String agent, int trial) implements StudyAction {}

    /** An agent has nothing to do: its trial has ended. */
    record Release(String agent) implements StudyAction {}
}
