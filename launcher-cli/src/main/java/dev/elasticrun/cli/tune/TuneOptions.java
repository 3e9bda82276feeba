/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.launch.LaunchConfig;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a study is driven.
 *
 * @param file that describes it
 * @param trial to be shown; empty = the best one
 * @param launch what its agents get of the command line; without a program
 * @param pool whose agents were started elsewhere; empty = this command starts agents
 * @param output where results and logs go; empty = a directory with the study's name
 * @param maxFailures after which no trial begins; empty = what the file has
 */
public record TuneOptions(
        String file,
        Optional<String> trial,
        LaunchConfig launch,
        Optional<String> pool,
        Optional<Path> output,
        Optional<String> maxFailures) {
    public static final String MAX_FAILURES = "--max-failures";
}
