/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.samples.testing.KubernetesCluster;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ml.dmlc.xgboost4j.java.Booster;

/**
 * A cluster on this machine that applications of Spark are submitted to, from artifacts of Spark and Hadoop with the
 * libraries that they bring.
 */
final class SparkCluster implements AutoCloseable {
    /** The jar of this module, as users have it. */
    private static final Path JAR = Path.of(property("elasticrun.spark.jar"));

    /** XGBoost4J, as its users add it. */
    private static final Path XGBOOST = Path.of(
            Booster.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    private static final String DRIVER = "driver";

    /** Of drivers, and of daemons unless they are shared. */
    private final SparkProcesses processes;

    /** Of which executors are descendants. */
    private final SparkProcesses daemons;

    private final String classPath;
    private final String master;
    private final Map<String, String> settings;

    private SparkCluster(SparkProcesses processes, String classPath, String master, Map<String, String> settings) {
        this(processes, processes, classPath, master, settings);
    }

    private SparkCluster(
            SparkProcesses processes,
            SparkProcesses daemons,
            String classPath,
            String master,
            Map<String, String> settings) {
        this.processes = processes;
        this.daemons = daemons;
        this.classPath = classPath;
        this.master = master;
        this.settings = settings;
    }

    /**
     * Starts Spark's own cluster, and waits until all Workers are registered.
     *
     * @param temporary directory for temporary files of all processes, by which they are found
     */
    static SparkCluster standalone(Path directory, Path temporary, int workers) {
        return start(directory, temporary, Map.of(), processes -> {
            String libraries = read("elasticrun.spark.classpath");
            return new SparkCluster(
                    processes,
                    libraries,
                    StandaloneDaemons.start(processes, libraries, workers),
                    Map.of("spark.executor.extraClassPath", libraries));
        });
    }

    /**
     * The same daemons, for the applications of one test.
     *
     * @param temporary directory for temporary files of its drivers and executors, by which they are found
     */
    SparkCluster forTest(Path directory, Path temporary) throws IOException {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("spark.executorEnv.TMPDIR", temporary.toString());
        return new SparkCluster(new SparkProcesses(directory, temporary, Map.of()), processes, classPath, master, all);
    }

    /**
     * Starts YARN, and waits until all its nodes are registered.
     *
     * @param temporary directory for temporary files of all processes, by which they are found
     */
    static SparkCluster yarn(Path directory, Path temporary, int nodes) {
        Path configuration = directory.resolve("yarn");
        return start(directory, temporary, Map.of("HADOOP_CONF_DIR", configuration.toString()), processes -> {
            Files.createDirectory(configuration);
            YarnDaemons.start(processes, after(configuration, read("elasticrun.yarn.classpath")), configuration, nodes);
            String libraries = read("elasticrun.yarn.spark.classpath");
            Map<String, String> settings = Map.of(
                    // Nothing is copied to the containers: they are all on this machine.
                    "spark.yarn.jars",
                    Arrays.stream(libraries.split(File.pathSeparator))
                            .map(jar -> "local:" + jar)
                            .collect(Collectors.joining(",")),
                    "spark.yarn.stagingDir",
                    directory.resolve("staging").toString(),
                    // Workers are processes of the container, whose memory YARN limits.
                    "spark.executor.memoryOverhead",
                    "512m",
                    // A container that ended is asked for again at the next call.
                    "spark.yarn.scheduler.heartbeat.interval-ms",
                    "500",
                    "spark.yarn.appMasterEnv.SPARK_LOCAL_IP",
                    SparkProcesses.HOST,
                    "spark.executorEnv.SPARK_LOCAL_IP",
                    SparkProcesses.HOST);
            return new SparkCluster(processes, after(configuration, libraries), "yarn", settings);
        });
    }

    /**
     * Has executors in pods of a namespace.
     *
     * @param temporary directory for temporary files of all processes, by which they are found
     */
    static SparkCluster kubernetes(Path directory, Path temporary, KubernetesCluster cluster, String namespace) {
        return start(directory, temporary, cluster.environment(namespace), processes -> {
            String libraries = "elasticrun.spark.classpath";
            return new SparkCluster(
                    processes,
                    read(libraries),
                    "k8s://" + cluster.server(),
                    ExecutorPods.settings(directory, Path.of(property(libraries)), namespace));
        });
    }

    private static String after(Path configuration, String libraries) {
        return configuration + File.pathSeparator + libraries;
    }

    /** What has daemons started among its processes. */
    @FunctionalInterface
    private interface Starter {
        SparkCluster start(SparkProcesses processes) throws IOException;
    }

    private static SparkCluster start(
            Path directory, Path temporary, Map<String, String> environment, Starter starter) {
        try {
            SparkProcesses processes = new SparkProcesses(directory, temporary, environment);
            boolean isStarted = false;
            try {
                SparkCluster cluster = starter.start(processes);
                isStarted = true;
                return cluster;
            } finally {
                if (!isStarted) {
                    processes.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether its pages can have the tab about runs, which is of another generation of servlets than those of Spark 3. */
    boolean canHaveTab() {
        return !classPath.contains("/spark-core_2.13-3.");
    }

    /**
     * Submits the application that this module has, as {@code spark-submit} does.
     *
     * @param settings of Spark, beside those of this cluster
     * @param arguments of {@link ElasticSparkSubmit}
     */
    Process submit(Map<String, String> settings, List<String> arguments) {
        return run(settings, ElasticSparkSubmit.class, List.of(JAR.toString()), arguments);
    }

    /** Submits the pool of agents that this module has. */
    Process submitPool(Map<String, String> settings, List<String> arguments) {
        return run(settings, ElasticSparkPool.class, List.of(JAR.toString()), arguments);
    }

    /**
     * Submits an application of users, in a jar of its own beside that of this module.
     *
     * @param mainClass a class of the tests that needs no other one of them but those within it
     */
    Process submit(Map<String, String> settings, Class<?> mainClass, List<String> arguments) throws IOException {
        return submit(settings, mainClass, List.of(XGBOOST), arguments);
    }

    /**
     * The same with other jars beside that of this module.
     *
     * @param libraries that the application needs
     */
    Process submit(Map<String, String> settings, Class<?> mainClass, List<Path> libraries, List<String> arguments)
            throws IOException {
        Path application = processes.directory().resolve("application.jar");
        Path classes = Path.of(
                mainClass.getProtectionDomain().getCodeSource().getLocation().getPath(),
                mainClass.getPackageName().replace('.', '/'));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(application));
                DirectoryStream<Path> own =
                        Files.newDirectoryStream(classes, "{%1$s,%1$s$*}.class".formatted(mainClass.getSimpleName()))) {
            for (Path file : own) {
                jar.putNextEntry(new JarEntry(mainClass.getPackageName().replace('.', '/') + "/" + file.getFileName()));
                Files.copy(file, jar);
            }
        }
        String jars = Stream.concat(Stream.of(JAR), libraries.stream())
                .map(Path::toString)
                .collect(Collectors.joining(","));
        return run(settings, mainClass, List.of("--jars", jars, application.toString()), arguments);
    }

    private Process run(Map<String, String> more, Class<?> mainClass, List<String> jars, List<String> arguments) {
        List<String> program = new ArrayList<>(
                List.of("org.apache.spark.deploy.SparkSubmit", "--master", master, "--class", mainClass.getName()));
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(more);
        if (!all.containsKey("spark.submit.deployMode")) {
            all.put("spark.driver.host", SparkProcesses.HOST);
            all.put("spark.driver.bindAddress", SparkProcesses.HOST);
        }
        all.putIfAbsent("spark.ui.enabled", "false");
        all.put("spark.executor.extraJavaOptions", SparkProcesses.JAVA_OPTIONS + " " + processes.temporaryFiles());
        if (!SparkProcesses.JAVA_OPTIONS.isEmpty()) {
            all.put("spark.executorEnv.ELASTICRUN_JAVA_OPTS", SparkProcesses.JAVA_OPTIONS);
        }
        all.put("spark.executor.memory", "512m");
        all.put("spark.executor.cores", "1");
        all.forEach((setting, value) -> program.addAll(List.of("--conf", setting + "=" + value)));
        program.addAll(jars);
        program.addAll(arguments);
        return processes.start(DRIVER, classPath, List.of("-Xmx512m"), program);
    }

    /** What the driver wrote. */
    String driverOutput() {
        return processes.output(DRIVER);
    }

    /** The executor that has this process as a descendant. */
    static ProcessHandle executorOf(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        while (!isExecutor(process)) {
            process = process.parent().orElseThrow();
        }
        return process;
    }

    /** All executors of its applications that run. */
    List<ProcessHandle> executors() {
        return daemons.descendants()
                .filter(SparkCluster::isExecutor)
                .filter(process -> SparkProcesses.commandLine(process).contains(processes.temporaryFiles()))
                .toList();
    }

    // Shells that start a container have the words of its command in one.
    private static boolean isExecutor(ProcessHandle process) {
        return Arrays.stream(SparkProcesses.commandLine(process).split("\0"))
                .anyMatch(word ->
                        word.startsWith("org.apache.spark.executor.") && word.endsWith("CoarseGrainedExecutorBackend"));
    }

    /** What all processes wrote, executors as well. */
    String logs() {
        return daemons == processes ? processes.logs() : processes.logs() + daemons.logs();
    }

    private static String read(String property) throws IOException {
        return Files.readString(Path.of(property(property))).strip();
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name + " (expected: set by the build)");
    }

    /** Ends drivers, and daemons unless they are shared; then no executor of these drivers runs any more. */
    @Override
    public void close() {
        processes.close();
        Patience.until("end of the executors", TestRun.LIMIT, () -> executors().isEmpty(), this::logs);
    }
}
