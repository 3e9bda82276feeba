/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What all tasks of a run are given.
 *
 * @param options flags of the command that are the same on each node
 * @param program the name of a file that Spark distributes
 * @param runKey the run's secret for a store that the driver serves; empty if there is none
 */
record AgentPlan(List<String> options, String program, List<String> arguments, byte[] runKey) implements Serializable {
    AgentPlan {
        options = new ArrayList<>(options);
        arguments = new ArrayList<>(arguments);
    }
}
