/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.chaos.fault.ChaosNetwork;
import dev.elasticrun.cli.signal.SignalHandlers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** This command once more, in a network namespace of its own: its address there is what agents can reach. */
final class InnerChaos {
    private InnerChaos() {}

    /**
     * Runs it to its end, with the streams of this process; signals are passed on. Returns its exit code.
     *
     * @param around what to put before the command
     * @param arguments of this command, without its name
     * @throws IllegalStateException if it cannot be started
     */
    static int run(List<String> around, LauncherCommand launcher, List<String> arguments) {
        List<String> command = new ArrayList<>(around);
        command.addAll(launcher.words());
        command.add("chaos");
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put(ChaosNetwork.VARIABLE, "own");
        LauncherCommand.restoreLocale(builder.environment());
        try {
            Process process = builder.start();
            for (String signal : List.of("INT", "TERM", "HUP")) {
                SignalHandlers.install(signal, () -> pass(signal, process.pid()));
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + command.get(0) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void pass(String signal, long pid) {
        try {
            new ProcessBuilder("kill", "-s", signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("cannot run kill", e);
        }
    }
}
