/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A signal that drains an agent if its user wants it to, as schedulers send it some time before the end. */
public enum DrainSignal {
    USR1(10),
    USR2(12);

    private static final int HUP = 1;
    private static final int INT = 2;
    private static final int TERM = 15;
    private static final int EXIT_CODE = 128;

    private final int number;

    DrainSignal(int number) {
        this.number = number;
    }

    /** @param name with or without SIG, in any case */
    public static Optional<DrainSignal> of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        String plain = upper.startsWith("SIG") ? upper.substring("SIG".length()) : upper;
        for (DrainSignal signal : values()) {
            if (signal.name().equals(plain)) {
                return Optional.of(signal);
            }
        }
        return Optional.empty();
    }

    /** Exit codes of processes that these or the usual signals ended. */
    public static Set<Integer> exitCodes(Collection<DrainSignal> signals) {
        Set<Integer> codes = new HashSet<>(Set.of(EXIT_CODE + HUP, EXIT_CODE + INT, EXIT_CODE + TERM));
        signals.forEach(signal -> codes.add(EXIT_CODE + signal.number));
        return codes;
    }
}
