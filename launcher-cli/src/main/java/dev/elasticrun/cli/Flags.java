/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;

/** Every flag that reaches the configuration, in the order of the help text. */
final class Flags {
    private Flags() {}

    /** Flags that belong together. */
    record Group(String title, List<Flag> flags) {}

    static final List<Group> GROUPS = List.of(
            SizeFlags.GROUP,
            StoreFlags.GROUP,
            TlsFlags.GROUP,
            WorkerFlags.GROUP,
            SupervisionFlags.GROUP,
            LogFlags.GROUP,
            WatchFlags.GROUP,
            CheckpointFlags.GROUP,
            TimeFlags.GROUP);

    static List<Flag> all() {
        return GROUPS.stream().flatMap(group -> group.flags().stream()).toList();
    }
}
