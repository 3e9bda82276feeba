/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import java.util.ArrayList;
import java.util.List;

/** The connections of one run, whose agents are drained together. Thread-safe. */
final class SshConnections {
    // Both guarded by this: no connection is added between a drain and the record of it.
    private final List<SshConnection> all = new ArrayList<>();
    private boolean isDraining;

    /** Adds one; its agent is drained at once if those of the others are. */
    synchronized void add(SshConnection connection) {
        all.add(connection);
        if (isDraining) {
            drain(connection);
        }
    }

    /** Drains all agents, also those whose connections are added later. */
    synchronized void drain() {
        isDraining = true;
        all.forEach(SshConnections::drain);
    }

    /** In the order in which they were added. */
    synchronized List<SshConnection> all() {
        return List.copyOf(all);
    }

    private static void drain(SshConnection connection) {
        connection.signal("TERM");
    }
}
