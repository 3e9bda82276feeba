/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.util.ArrayList;
import java.util.List;

/** Spark's own cluster manager: a Master, and Workers with one core each. */
final class StandaloneDaemons {
    private static final String MASTER = "master";

    private StandaloneDaemons() {}

    /**
     * Starts them, and waits until all Workers are registered.
     *
     * @return the address of the Master, for {@code --master}
     */
    static String start(SparkProcesses processes, String classPath, int workers) {
        String port = Integer.toString(FreePort.find());
        String master = "spark://" + SparkProcesses.HOST + ":" + port;
        daemon(processes, MASTER, classPath, "master.Master", "--port", port);
        for (int worker = 0; worker < workers; worker++) {
            daemon(
                    processes,
                    "worker-" + worker,
                    classPath,
                    "worker.Worker",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    processes.directory().resolve("work-" + worker).toString(),
                    master);
        }
        Patience.until(
                workers + " Workers",
                TestRun.LIMIT,
                () -> processes.lines(MASTER, "Registering worker ") == workers,
                processes::logs);
        return master;
    }

    private static void daemon(
            SparkProcesses processes, String name, String classPath, String mainClass, String... arguments) {
        List<String> program = new ArrayList<>(
                List.of("org.apache.spark.deploy." + mainClass, "--host", SparkProcesses.HOST, "--webui-port", "0"));
        program.addAll(List.of(arguments));
        processes.start(name, classPath, List.of("-Xmx256m", "-Dspark.master.rest.enabled=false"), program);
    }
}
