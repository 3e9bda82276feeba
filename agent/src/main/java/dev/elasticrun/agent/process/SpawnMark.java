/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.UUID;

/**
 * A variable in the environment of every worker, which its children inherit: it identifies those that left the worker's
 * process group. A program that removes it from a child's environment and the child from the group hides the child.
 *
 * @param value begins with the agent's mark, and is another one for every worker
 */
record SpawnMark(String value) {
    static final String VARIABLE = "ELASTIC_SPAWN_MARK";

    /** What the marks of one agent begin with. */
    static String ofAgent() {
        return UUID.randomUUID() + "-";
    }

    /** @param count of the agent's workers */
    static SpawnMark ofWorker(String agent, long count) {
        return new SpawnMark(agent + count);
    }

    /** The variable as an entry of an environment block. */
    String assignment() {
        return VARIABLE + "=" + value + "\0";
    }

    /** What the variables of all workers of the agent begin with. */
    static String assignments(String agent) {
        return VARIABLE + "=" + agent;
    }
}
