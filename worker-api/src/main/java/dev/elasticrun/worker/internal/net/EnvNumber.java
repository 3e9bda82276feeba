/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.util.Map;

/** Numbers that the agent says in a worker's environment. */
public final class EnvNumber {
    private EnvNumber() {}

    /** Throws IllegalArgumentException that names the variable. */
    public static long read(Map<String, String> environment, String name, long absent, long least) {
        String text = environment.get(name);
        if (text == null) {
            return absent;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + text + " (expected: a number)", e);
        }
        throw new IllegalArgumentException(name + ": " + text + " (expected: " + least + " or more)");
    }
}
