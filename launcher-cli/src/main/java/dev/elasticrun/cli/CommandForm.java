/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a command takes, as it is parsed and shown.
 *
 * @param name as it is typed
 * @param synopsis what follows {@code elastic-run}
 * @param description what it does
 * @param argument what is no option; empty = everything is
 * @param remoteOptions by which a run on other hosts is found
 */
record CommandForm(
        String name,
        String synopsis,
        String description,
        Optional<Argument> argument,
        List<OptionForm> options,
        List<OptionForm> remoteOptions) {

    CommandForm {
        options = List.copyOf(options);
        remoteOptions = List.copyOf(remoteOptions);
    }

    List<OptionForm> allOptions() {
        return Stream.concat(options.stream(), remoteOptions.stream()).toList();
    }

    /** Whether the command is about a run, which agents are asked about. */
    boolean asksAgents() {
        return !remoteOptions.isEmpty();
    }

    /**
     * What is no option.
     *
     * @param label what it looks like
     * @param isLast whether all that follows it belongs to it
     */
    record Argument(String label, String description, boolean isLast) {}
}
