/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.Map;
import java.util.OptionalInt;

/** Describes the exit code of a process, as far as Java reports it: a signal and {@code exit 128+n} look the same. */
public final class ExitDescription {
    private static final int FIRST_REAL_TIME = 34;
    private static final int LAST_REAL_TIME = 64;
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"),
            Map.entry(16, "SIGSTKFLT"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"),
            Map.entry(29, "SIGIO"),
            Map.entry(30, "SIGPWR"),
            Map.entry(31, "SIGSYS"));

    private ExitDescription() {}

    /** "exit code 3" or "killed by SIGKILL (9)". */
    public static String describe(int exitCode) {
        OptionalInt signal = signal(exitCode);
        return signal.isEmpty()
                ? "exit code " + exitCode
                : "killed by " + name(signal.getAsInt()) + " (" + signal.getAsInt() + ")";
    }

    /** The signal that the code stands for. */
    public static OptionalInt signal(int exitCode) {
        int signal = exitCode - 128;
        return NAMES.containsKey(signal) || (signal >= FIRST_REAL_TIME && signal <= LAST_REAL_TIME)
                ? OptionalInt.of(signal)
                : OptionalInt.empty();
    }

    private static String name(int signal) {
        String name = NAMES.get(signal);
        return name != null ? name : "SIGRTMIN+" + (signal - FIRST_REAL_TIME);
    }
}
