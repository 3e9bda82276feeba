/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.launch;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.LaunchConfig;
import java.util.ArrayList;
import java.util.List;

/** Starts the training sample on this host from Java, and says how each rank ended. */
public final class LaunchTraining {
    private LaunchTraining() {}

    /** Arguments: the samples' jar, the data file, and any options of the training. */
    public static void main(String[] args) throws InterruptedException {
        List<String> training = new ArrayList<>(List.of("train", "--data", args[1]));
        training.addAll(List.of(args).subList(2, args.length));
        LaunchConfig config = LaunchConfig.builder(args[0])
                .arguments(training)
                .standalone(true)
                .nprocPerNode(4)
                .restartPolicy("soft")
                .build();
        LaunchResult result = ElasticLauncher.launch(config);
        result.workers()
                .forEach(worker -> System.out.println("rank " + worker.rank() + " ended with " + worker.exitCode()));
        result.failures().stream().findFirst().ifPresent(cause -> System.out.println("root cause: " + cause.message()));
        System.out.println(result.reason());
    }
}
