/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Hadoop's cluster manager: a ResourceManager, and NodeManagers that run containers as processes of this machine. */
final class YarnDaemons {
    private static final String SERVER = "org.apache.hadoop.yarn.server.";
    private static final String MANAGER = "resource-manager";
    private static final String QUEUES = "yarn.scheduler.capacity.";
    private static final String ANY_PORT = SparkProcesses.HOST + ":0";

    private YarnDaemons() {}

    /**
     * Starts them, and waits until all NodeManagers are registered.
     *
     * @param configuration a directory that is on the class path, for what daemons and clients read
     */
    static void start(SparkProcesses processes, String classPath, Path configuration, int nodes) throws IOException {
        write(
                configuration.resolve("core-site.xml"),
                Map.of(
                        "fs.defaultFS",
                        "file:///",
                        "hadoop.tmp.dir",
                        processes.directory().resolve("hadoop").toString()));
        write(
                configuration.resolve("capacity-scheduler.xml"),
                Map.of(
                        QUEUES + "root.queues", "default",
                        QUEUES + "root.default.capacity", "100",
                        QUEUES + "maximum-am-resource-percent", "1.0"));
        write(
                configuration.resolve("yarn-site.xml"),
                settings(processes.directory().resolve("hadoop")));
        List<String> options = List.of("-Xmx256m", "-Dorg.apache.logging.log4j.level=INFO");
        processes.start(MANAGER, classPath, options, List.of(SERVER + "resourcemanager.ResourceManager"));
        for (int node = 0; node < nodes; node++) {
            Path own = processes.directory().resolve("node-" + node);
            List<String> program = new ArrayList<>(List.of(SERVER + "nodemanager.NodeManager"));
            program.addAll(List.of("-D", "yarn.nodemanager.local-dirs=" + own.resolve("local")));
            program.addAll(List.of("-D", "yarn.nodemanager.log-dirs=" + own.resolve("logs")));
            processes.start("node-manager-" + node, classPath, options, program);
        }
        Patience.until(
                nodes + " NodeManagers",
                TestRun.LIMIT,
                () -> processes.lines(MANAGER, "Node Transitioned from NEW to RUNNING") == nodes,
                processes::logs);
    }

    private static Map<String, String> settings(Path directory) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("yarn.resourcemanager.hostname", SparkProcesses.HOST);
        settings.put("yarn.node-attribute.fs-store.root-dir", directory.toUri().toString());
        for (String service : List.of("", "scheduler.", "resource-tracker.", "admin.", "webapp.")) {
            settings.put("yarn.resourcemanager." + service + "address", SparkProcesses.HOST + ":" + FreePort.find());
        }
        for (String service : List.of("", "localizer.", "webapp.")) {
            settings.put("yarn.nodemanager." + service + "address", ANY_PORT);
        }
        // Containers are given, and ends of containers reported, with these.
        settings.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
        settings.put("yarn.nodemanager.resource.memory-mb", "6144");
        settings.put("yarn.nodemanager.resource.cpu-vcores", "8");
        settings.put("yarn.scheduler.minimum-allocation-mb", "128");
        // Of JVMs that have reserved more than they use. What they use is checked.
        settings.put("yarn.nodemanager.vmem-check-enabled", "false");
        settings.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        return settings;
    }

    private static void write(Path file, Map<String, String> settings) throws IOException {
        Files.writeString(
                file,
                settings.entrySet().stream()
                        .map(setting -> "<property><name>" + setting.getKey() + "</name><value>" + setting.getValue()
                                + "</value></property>\n")
                        .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n")));
    }
}
