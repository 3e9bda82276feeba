/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.LaunchConfig;
import java.util.ArrayList;
import java.util.List;

/** Starts the training sample on this host from Java, and prints how each rank ended and the accuracy that rank 0 hands over. */
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
        result.results()
                .forEach((rank, accuracy) ->
                        System.out.println("rank " + rank + " handed over accuracy " + new String(accuracy, UTF_8)));
        result.failures().stream().findFirst().ifPresent(cause -> System.out.println("root cause: " + cause.message()));
        System.out.println(result.reason());
    }
}
