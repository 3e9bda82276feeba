/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of an installation, and its sample.
 *
 * @param home has the directory {@code bin}
 */
record Installation(Path home, Path samples) {
    private static final int STEP_MILLIS = 20;

    List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/elastic-run").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Two workers that train so many steps of 20 ms, with logs in a directory. */
    List<String> training(Path logs, int steps) {
        List<String> command = command(
                "--standalone",
                "--nproc-per-node",
                "2",
                "--restart-policy",
                "soft-elastic",
                "--log-dir",
                logs.toString());
        command.addAll(program(steps));
        return command;
    }

    /** The training sample with so many steps of 20 ms. */
    List<String> program(int steps) {
        return List.of(
                samples.resolve("elastic-samples.jar").toString(),
                "train",
                "--data",
                samples.resolve("breast-cancer.csv").toString(),
                "--steps",
                Integer.toString(steps),
                "--step-millis",
                Integer.toString(STEP_MILLIS),
                "--report-every",
                "1");
    }
}
