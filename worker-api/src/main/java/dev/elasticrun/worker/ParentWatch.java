/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.OptionalLong;

/**
 * Ends this process when its agent is gone: nobody could tell the worker any more that its round is over. The agent is
 * the parent process; an orphan gets another parent.
 */
final class ParentWatch {
    /** As if terminated: 128 + SIGTERM. */
    private static final int EXIT_CODE = 143;

    private final OptionalLong parent = parent();

    void tick() {
        if (parent.isPresent() && !parent.equals(parent())) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    private static OptionalLong parent() {
        return ProcessHandle.current()
                .parent()
                .map(handle -> OptionalLong.of(handle.pid()))
                .orElse(OptionalLong.empty());
    }
}
