/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.util.List;

/**
 * A node's command line, taken apart.
 *
 * @param options what precedes the program
 * @param program path of a program
 * @param arguments of the program
 * @param minNodes of the run
 * @param maxNodes of the run
 * @param runId name of the run
 * @param namesStore whether the line states where the store is
 */
public record NodeLine(
        List<String> options,
        String program,
        List<String> arguments,
        int minNodes,
        int maxNodes,
        String runId,
        boolean namesStore) {
    public NodeLine {
        options = List.copyOf(options);
        arguments = List.copyOf(arguments);
    }

    /** The same with other options before the program. */
    public NodeLine withOptions(List<String> others) {
        return new NodeLine(others, program, arguments, minNodes, maxNodes, runId, namesStore);
    }
}
