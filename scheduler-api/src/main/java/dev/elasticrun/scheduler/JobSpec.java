/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job to start: an agent on each of its nodes.
 *
 * @param name lower-case letters, digits and {@code -}, at most 50 characters
 * @param minNodes fewest nodes that it works with
 * @param maxNodes most nodes that it works with, and that the scheduler is asked for
 * @param workersPerNode on each node; 0 = the agent counts what its node has
 * @param flags of the agents, {@code --name=value} or the name of a switch, without those that the scheduler gives them: none
 *     of them is {@code --nnodes}, {@code --nproc-per-node}, {@code --run-id} or {@code --rdzv-endpoint} unless the user
 *     gave it
 * @param command the program that agents run, and its arguments
 * @param options values of {@link SchedulerProvider#options}, and of nothing else, by name
 * @param directory in which the command was called
 */
public record JobSpec(
        String name,
        int minNodes,
        int maxNodes,
        int workersPerNode,
        List<String> flags,
        List<String> command,
        Map<String, String> options,
        Path directory) {
    public JobSpec {
        if (minNodes < 1 || maxNodes < minNodes) {
            throw new IllegalArgumentException("nodes: " + minNodes + ":" + maxNodes + " (expected: 1 <= MIN <= MAX)");
        }
        flags = List.copyOf(flags);
        command = List.copyOf(command);
        options = Map.copyOf(options);
    }

    /** The value of a flag, of several the last; of a switch that is given an empty text. */
    public Optional<String> flag(String name) {
        return flags.stream()
                .filter(flag -> flag.equals(name) || flag.startsWith(name + "="))
                .reduce((first, second) -> second)
                .map(flag -> flag.substring(Math.min(flag.length(), name.length() + 1)));
    }

    /** A flag with the value that a scheduler gives it; empty if the user gave one. */
    public Optional<String> flagUnlessGiven(String name, String value) {
        return flag(name).isPresent() ? Optional.empty() : Optional.of(name + "=" + value);
    }
}
