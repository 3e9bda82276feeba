/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What all tasks of a run are given.
 *
 * @param options flags of the command that are the same on each node
 * @param program the name of a file that Spark distributes; empty = {@code mainClass} is one of the application
 * @param mainClass name of a class; empty = it does not matter, as there is a program
 * @param runKey the run's secret for a store that the driver serves; empty if there is none
 */
record AgentPlan(List<String> options, String program, String mainClass, List<String> arguments, byte[] runKey)
        implements Serializable {
    AgentPlan {
        options = new ArrayList<>(options);
        arguments = new ArrayList<>(arguments);
    }
}
