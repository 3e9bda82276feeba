/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Signals by name, as the agent names them. Pure. */
public final class SignalName {
    private static final int FIRST = 128;
    // By number, on all processors that are supported; a gap is a signal that does not kill.
    private static final List<String> NAMES =
            Arrays.asList(("- HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE"
                            + " ALRM TERM STKFLT - - - - - - - XCPU XFSZ - - - IO PWR SYS")
                    .split(" "));

    private SignalName() {}

    /** Of the signal that an exit code stands for: 128+n for signal n. */
    static Optional<String> of(int exitCode) {
        int signal = exitCode - FIRST;
        boolean known =
                signal > 0 && signal < NAMES.size() && !NAMES.get(signal).equals("-");
        return known ? Optional.of("SIG" + NAMES.get(signal)) : Optional.empty();
    }

    /** How a process ended. */
    public static String describe(int exitCode) {
        return of(exitCode)
                .map(name -> "killed by " + name + " (" + (exitCode - FIRST) + ")")
                .orElse("exit code " + exitCode);
    }
}
