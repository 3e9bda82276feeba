/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Ends this process when its agent is gone: the worker could no longer receive the end of its round. The agent is the
 * parent process; an orphan gets another parent.
 */
final class ParentWatch {
    /** As if terminated: 128 + SIGTERM. */
    private static final int EXIT_CODE = 143;

    private final OptionalLong parent = parent();

    /** Closes first what peers wait for: the end of a process with threads in the kernel takes a while. */
    void tick(Closeable open) {
        if (parent.isPresent() && !parent.equals(parent())) {
            try {
                open.close();
            } catch (IOException e) {
                // The process ends either way.
            }
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
