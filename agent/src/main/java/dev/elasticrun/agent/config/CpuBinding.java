/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.Locale;

/** What part of the machine each worker of a node runs on. */
public enum CpuBinding {
    /** All that the agent may use. */
    NONE,
    /** Cores of its own, with all their threads: each worker has about as many. */
    CORE,
    /** One NUMA node, shared by the workers whose turn it is. */
    NUMA;

    /** As in the flag. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
