/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.NodeRange;
import java.util.List;

/**
 * A launch line for agents on other machines. All of it is checked that does not depend on them.
 *
 * @param flags with values from the command line, variables and file, in the order of the help text
 * @param command the program and its arguments; the program's file is not checked
 * @param workersPerNode 0 = counted on each node
 * @param noEffect what of torchrun's flags and variables has no effect, and why: sentences
 */
public record SubmittedLine(
        List<String> flags, List<String> command, NodeRange nodes, int workersPerNode, List<String> noEffect) {
    public SubmittedLine {
        flags = List.copyOf(flags);
        command = List.copyOf(command);
        noEffect = List.copyOf(noEffect);
    }
}
