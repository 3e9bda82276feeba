/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.nio.file.Path;

/** Names in a node's directory of logs, which agents write and commands read. Pure. */
public final class LogNames {
    /** What happened on the node. */
    public static final String EVENTS = "events.jsonl";

    /** What the node decided as the coordinator, and from what. */
    public static final String DECISIONS = "decisions.jsonl";

    private static final String STDOUT = "stdout.log";
    private static final String STDERR = "stderr.log";

    private LogNames() {}

    /** Directory of one process of a slot. */
    public static Path worker(Path node, int slot, int attempt) {
        return node.resolve(prefix(slot) + attempt);
    }

    /** What one process of a slot wrote. */
    public static Path output(Path node, int slot, int attempt, boolean stderr) {
        return worker(node, slot, attempt).resolve(stderr ? STDERR : STDOUT);
    }

    /** What comes before the attempt in the name of a process's directory. */
    static String prefix(int slot) {
        return "worker-" + slot + ".";
    }
}
