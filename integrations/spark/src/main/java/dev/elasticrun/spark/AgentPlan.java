/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What all tasks of a run, or of a pool, are given.
 *
 * @param options flags of the command that are the same on each node
 * @param program the name of a file that Spark distributes; empty = {@code mainClass} is one of the application
 * @param mainClass name of a class; empty = it does not matter, as there is a program
 * @param runKey the secret of the run, for a store that the driver serves, or of the pool; empty if there is none
 * @param pool whose agents these are; empty = they are nodes of one run
 */
record AgentPlan(
        List<String> options, String program, String mainClass, List<String> arguments, byte[] runKey, String pool)
        implements Serializable {
    /** Of agents of a pool. */
    static AgentPlan ofPool(String pool, List<String> options, byte[] key) {
        return new AgentPlan(options, "", "", List.of(), key, pool);
    }

    AgentPlan {
        options = new ArrayList<>(options);
        arguments = new ArrayList<>(arguments);
    }
}
