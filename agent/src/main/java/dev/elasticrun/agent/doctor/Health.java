/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.util.Locale;

/** How well something on a node suits a run, from best to worst. */
public enum Health {
    OK,
    /** A run works, but less well than it could, or not in each case. */
    WARNING,
    /** A run would fail. */
    ERROR;

    /** The word for users. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
