/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.torchrun;

import dev.elasticrun.agent.config.DrainSignal;
import dev.elasticrun.agent.config.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code --signals-to-handle}: those that end an agent of torchrun, and its workers with it. Pure. */
final class HandledSignals {
    private static final Set<String> ALWAYS = Set.of("SIGTERM", "SIGINT", "SIGHUP");
    // The JVM keeps it for itself.
    private static final String QUIT = "SIGQUIT";

    private HandledSignals() {}

    static Translation translate(String text) {
        List<String> names = Arrays.stream(text.split(",", -1))
                .map(name -> name.strip().toUpperCase(Locale.ROOT))
                .map(name -> name.startsWith("SIG") ? name : "SIG" + name)
                .distinct()
                .toList();
        if (names.contains("SIG")) {
            throw new IllegalArgumentException("names of signals separated by ',', such as SIGTERM,SIGUSR1");
        }
        Translation translation = Translation.NOTHING;
        List<String> draining =
                names.stream().filter(name -> DrainSignal.of(name).isPresent()).toList();
        if (!draining.isEmpty()) {
            String drains = draining.stream()
                    .map(name -> name.substring("SIG".length()))
                    .collect(Collectors.joining(","));
            translation = translation
                    .with(Settings.DRAIN_SIGNAL, drains)
                    .noting("--signals-to-handle " + String.join(",", draining) + " is --drain-signal " + drains);
        }
        for (String name : names) {
            if (name.equals(QUIT)) {
                translation = translation.ignoring(
                        "--signals-to-handle SIGQUIT: no effect, the JVM prints the stacks of its threads then");
            } else if (!ALWAYS.contains(name) && !draining.contains(name)) {
                translation = translation.ignoring("--signals-to-handle " + name
                        + ": no effect, HUP, INT, TERM and by --drain-signal USR1 and USR2" + " end an agent");
            }
        }
        return translation;
    }
}
