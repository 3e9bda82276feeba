/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.CpuBinding;
import dev.elasticrun.agent.DrainSignal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Flags about how workers' processes are run and when they are not run again. */
final class SupervisionFlags {
    private SupervisionFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Supervision",
            List.of(
                    Flag.of(
                            "drain-signal",
                            "USR1|USR2,...",
                            "Signals that drain the agent, besides HUP, INT and TERM, as a scheduler sends them before"
                                    + " the end.",
                            (builder, text) -> builder.drainSignals(signals(text)),
                            config -> joined(config.drainSignals())),
                    Flag.of(
                            "no-retry-exit-codes",
                            "N,...",
                            "Exit codes of a worker that end the run at once, whatever budget is left.",
                            (builder, text) -> builder.noRetryExitCodes(numbers(text)),
                            config -> joined(config.noRetryExitCodes())),
                    Flag.of(
                                    "no-progress-limit",
                                    "N",
                                    "Incidents in a row without a new checkpoint before them that end the run, with"
                                            + " exit code 6; 0: any number.",
                                    (builder, text) -> builder.noProgressLimit(FlagValues.number(text, "0 or more")),
                                    config -> List.of(Integer.toString(config.noProgressLimit())))
                            .orElse("0"),
                    Flag.of(
                                    "bind-to",
                                    "none|core|numa",
                                    "What part of the machine each worker runs on: cores of its own, or a NUMA node.",
                                    (builder, text) -> builder.bindTo(binding(text)),
                                    config -> List.of(config.bindTo().text()))
                            .orElse("none")));

    private static List<DrainSignal> signals(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(name -> DrainSignal.of(name.strip())
                        .orElseThrow(() -> new IllegalArgumentException("USR1, USR2 or both, separated by ','")))
                .distinct()
                .toList();
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(number -> FlagValues.number(number.strip(), "exit codes, separated by ','"))
                .distinct()
                .toList();
    }

    private static CpuBinding binding(String text) {
        return Arrays.stream(CpuBinding.values())
                .filter(binding -> binding.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("none, core or numa"));
    }

    private static List<String> joined(List<?> values) {
        return values.isEmpty()
                ? List.of()
                : List.of(values.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
}
