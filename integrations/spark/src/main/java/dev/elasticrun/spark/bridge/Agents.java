/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.nio.file.Path;
import java.util.List;

/** Agents and stores in this process. Safe for use by any thread. */
public interface Agents {
    /**
     * Checks a command line as an agent checks it, without starting one. The program must be there; a log directory is
     * created if it is not.
     *
     * @param line of one node, without the command's name
     * @throws BadLineException naming all that is wrong
     */
    NodeLine parse(List<String> line);

    /**
     * Serves a store for one run, at a free port.
     *
     * @param line of its nodes, which has what decides about encryption
     * @param directory an existing one, for the file with the run's key
     * @param address of this host, as a number
     * @throws java.io.UncheckedIOException when the key cannot be written, or certificates cannot be read
     */
    ServedStore serve(List<String> line, String runId, Path directory, String address);

    /**
     * Starts an agent.
     *
     * @param line of this node
     * @param progress receives how far the run is
     * @throws BadLineException naming all that is wrong with it on this host
     */
    RunningAgent start(List<String> line, AgentProgress progress);

    /**
     * Starts an agent of a pool, which works for the trials of studies until it is drained.
     *
     * @param line flags of a launch, among them the store of the pool and its key, without a program
     * @throws BadLineException naming all that is wrong with it on this host
     */
    RunningAgent join(List<String> line, String pool);
}
