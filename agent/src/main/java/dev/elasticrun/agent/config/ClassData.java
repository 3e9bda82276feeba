/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.Locale;

/** Whether an agent archives the classes of its workers, so that those it starts later load them faster. */
public enum ClassData {
    /** Where that cannot change what the program does. */
    AUTO,
    /** Never. */
    OFF;

    /** As in the flag. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
