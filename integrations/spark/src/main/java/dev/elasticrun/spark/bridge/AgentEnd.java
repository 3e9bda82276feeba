/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.io.Serializable;
import java.util.Map;

/**
 * How an agent ended.
 *
 * @param nodeId its node
 * @param exitCode what the command would exit with
 * @param reason in one line
 * @param report all about failures, in several lines
 * @param results what workers handed over, by rank
 */
public record AgentEnd(String nodeId, int exitCode, String reason, String report, Map<Integer, byte[]> results)
        implements Serializable {
    /** The run has succeeded. */
    public static final int SUCCEEDED = 0;
    /** A line or a host with which no agent works. */
    public static final int UNUSABLE = 2;
    /** The store cannot be reached any more. */
    public static final int STORE_LOST = 5;
    /** Interrupted, and so drained. */
    public static final int INTERRUPTED = 130;
    /** Drained. */
    public static final int DRAINED = 143;

    public AgentEnd {
        results = Map.copyOf(results);
    }

    /** Whether this node left, and the run may go on without it. */
    public boolean left() {
        return exitCode == DRAINED || exitCode == INTERRUPTED;
    }
}
