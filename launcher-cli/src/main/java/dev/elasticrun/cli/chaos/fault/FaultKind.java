/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is done to a run. */
public enum FaultKind {
    /** SIGKILL of one worker. */
    WORKER,
    /** SIGSTOP of one worker. */
    HANG,
    /** SIGKILL of an agent with all its workers; another agent is started. */
    NODE,
    /** The same of the agent that is the coordinator at that moment. */
    COORDINATOR,
    /** The host of one agent is cut off from all others for a time. */
    PARTITION;

    /** As flags and reports have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a whole agent is killed. */
    public boolean killsAgent() {
        return this == NODE || this == COORDINATOR;
    }

    /** Whether the node is lost, and not a worker. */
    public boolean concernsAgent() {
        return killsAgent() || this == PARTITION;
    }

    static Optional<FaultKind> of(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }

    public static List<String> texts() {
        return Arrays.stream(values()).map(FaultKind::text).toList();
    }
}
