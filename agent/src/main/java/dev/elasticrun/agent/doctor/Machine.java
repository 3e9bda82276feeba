/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.process.ProcFile;
import java.nio.file.Path;

/** What the machine has, whatever of it this process may use. */
final class Machine {
    private static final int KIB_SHIFT = 10;

    private Machine() {}

    static long memoryBytes() {
        return ProcFile.number(Path.of("/proc/meminfo"), "MemTotal:").orElse(Long.MAX_VALUE >> KIB_SHIFT) << KIB_SHIFT;
    }

    /** As many as this process may run on: the JVM's view, with the quota of control groups. */
    static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }
}
