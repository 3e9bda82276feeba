/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.samples.testing.ProcessKubelet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** How executors are pods where there are no images: what an image of Spark brings is on this machine. */
final class ExecutorPods {
    /** Of Spark: what it names its executors by. */
    static final String LABEL = "spark-role";

    /** The value of that label. */
    static final String EXECUTOR = "executor";

    /** Name of the volume for logs of agents. */
    static final String LOGS = "logs";

    /** Where pods have it. */
    static final String LOG_DIRECTORY = "/var/log/elastic-run";

    private static final String TEMPLATE = """
            apiVersion: v1
            kind: Pod
            spec:
              containers:
              - name: executor
                command: [sh, %s]
                volumeMounts:
                - {name: %s, mountPath: %s}
              volumes:
              - {name: %s, emptyDir: {}}
            """;

    /** As the entry point of Spark's image starts an executor. */
    private static final String ENTRY_POINT = """
            set -e
            cd "$SPARK_LOCAL_DIRS"
            options=$(env | sed -n 's/^SPARK_JAVA_OPT_[0-9]*=//p')
            exec "$JAVA_HOME/bin/java" $options -Xmx"$SPARK_EXECUTOR_MEMORY" \\
              -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(cat %s)" \\
              org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \\
              --driver-url "$SPARK_DRIVER_URL" --app-id "$SPARK_APPLICATION_ID" \\
              --executor-id "$SPARK_EXECUTOR_ID" --cores "$SPARK_EXECUTOR_CORES" \\
              --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID" \\
              --hostname "$SPARK_EXECUTOR_POD_IP" --podName "$SPARK_EXECUTOR_POD_NAME"
            """;

    private ExecutorPods() {}

    /**
     * Writes what pods are made of.
     *
     * @param directory for these files
     * @param classPathFile holds the class path of executors
     * @return Spark's settings for pods of a namespace
     */
    static Map<String, String> settings(Path directory, Path classPathFile, String namespace) throws IOException {
        Path entryPoint = Files.writeString(
                directory.resolve("executor.sh"), ENTRY_POINT.formatted(classPathFile.toAbsolutePath()));
        Path template = Files.writeString(
                directory.resolve("executor.yaml"), TEMPLATE.formatted(entryPoint, LOGS, LOG_DIRECTORY, LOGS));
        return Map.of(
                "spark.kubernetes.namespace",
                namespace,
                "spark.kubernetes.container.image",
                ProcessKubelet.IMAGE,
                "spark.kubernetes.executor.podTemplateFile",
                template.toString(),
                // Volumes of pods are empty directories and secrets here.
                "spark.kubernetes.executor.disableConfigMap",
                "true");
    }
}
