/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.DaemonLogs;
import dev.elasticrun.samples.testing.Daemons;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * A standalone Spark on this machine, from Spark's own artifacts with the libraries that they bring: a Master, and Workers
 * with one core each. All files are below a directory of the test, and nothing runs after {@link #close}.
 */
final class SparkCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    /** The jar of this module, as users have it. */
    private static final Path JAR = Path.of(property("elasticrun.spark.jar"));

    /** XGBoost4J, as its users add it. */
    private static final Path XGBOOST = Path.of(
            Booster.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    private final Path directory;
    private final Path temporary;
    private final String classPath;
    private final String master;
    private final List<Process> processes = new ArrayList<>();

    private SparkCluster(Path directory, Path temporary) throws IOException {
        this.directory = directory;
        this.temporary = temporary;
        this.classPath = Files.readString(Path.of(property("elasticrun.spark.classpath")))
                .strip();
        this.master = "spark://" + HOST + ":" + FreePort.find();
        // Where Spark looks for its jars, which are on the class path of all here instead.
        Files.createDirectories(directory.resolve("home/jars"));
    }

    /**
     * Starts one, and waits until all Workers are registered.
     *
     * @param temporary directory for temporary files of all processes, by which they are found
     */
    static SparkCluster start(Path directory, Path temporary, int workers) {
        try {
            SparkCluster cluster = new SparkCluster(directory, temporary);
            cluster.startDaemons(workers);
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether its pages can have the tab about runs, which is of another generation of servlets than those of Spark 3. */
    boolean canHaveTab() {
        return !classPath.contains("/spark-core_2.13-3.");
    }

    private void startDaemons(int workers) {
        String port = master.substring(master.lastIndexOf(':') + 1);
        daemon("master", "org.apache.spark.deploy.master.Master", "--host", HOST, "--port", port, "--webui-port", "0");
        for (int worker = 0; worker < workers; worker++) {
            daemon(
                    "worker-" + worker,
                    "org.apache.spark.deploy.worker.Worker",
                    "--host",
                    HOST,
                    "--webui-port",
                    "0",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    directory.resolve("work-" + worker).toString(),
                    master);
        }
        Patience.until(
                workers + " Workers",
                TestRun.LIMIT,
                () -> occurrences("master", "Registering worker ") == workers,
                this::logs);
    }

    private long occurrences(String log, String text) {
        return read(log(log)).lines().filter(line -> line.contains(text)).count();
    }

    private void daemon(String name, String mainClass, String... arguments) {
        List<String> command = java("-Xmx256m", "-Dspark.master.rest.enabled=false");
        command.add(mainClass);
        command.addAll(List.of(arguments));
        processes.add(start(name, command));
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
        Path application = directory.resolve("application.jar");
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

    private Process run(Map<String, String> settings, Class<?> mainClass, List<String> jars, List<String> arguments) {
        List<String> command = java("-Xmx512m");
        command.addAll(
                List.of("org.apache.spark.deploy.SparkSubmit", "--master", master, "--class", mainClass.getName()));
        Map<String, String> all = new TreeMap<>(settings);
        all.put("spark.driver.host", HOST);
        all.put("spark.driver.bindAddress", HOST);
        all.putIfAbsent("spark.ui.enabled", "false");
        all.put("spark.executor.extraClassPath", classPath);
        all.put("spark.executor.extraJavaOptions", temporaryFiles());
        all.put("spark.executor.memory", "512m");
        all.put("spark.executor.cores", "1");
        all.forEach((setting, value) -> command.addAll(List.of("--conf", setting + "=" + value)));
        command.addAll(jars);
        command.addAll(arguments);
        Process driver = start("driver", command);
        processes.add(driver);
        return driver;
    }

    /** What the driver wrote. */
    String driverOutput() {
        return read(log("driver"));
    }

    private List<String> java(String... options) {
        List<String> command =
                new ArrayList<>(List.of(JAVA_HOME.resolve("bin/java").toString()));
        command.addAll(List.of(options));
        // What Spark's own scripts add for its use of the JDK.
        command.addAll(OPENED);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", temporaryFiles(), "-cp", classPath));
        return command;
    }

    private String temporaryFiles() {
        return "-Djava.io.tmpdir=" + temporary;
    }

    private Process start(String name, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment()
                .putAll(Map.of(
                        // Of executors.
                        "JAVA_HOME", JAVA_HOME.toString(),
                        "SPARK_HOME", directory.resolve("home").toString(),
                        "SPARK_LOCAL_IP", HOST,
                        "SPARK_LOCAL_DIRS", directory.resolve("local").toString(),
                        "SPARK_SCALA_VERSION", "2.13",
                        "TMPDIR", temporary.toString()));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    /** The executor that has this process as a descendant. */
    static ProcessHandle executorOf(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        while (!isExecutor(process)) {
            process = process.parent().orElseThrow();
        }
        return process;
    }

    /** All executors of this cluster that run. */
    List<ProcessHandle> executors() {
        return processes.stream()
                .flatMap(process -> process.toHandle().descendants())
                .filter(SparkCluster::isExecutor)
                .toList();
    }

    private static boolean isExecutor(ProcessHandle process) {
        return commandLine(process).contains("CoarseGrainedExecutorBackend");
    }

    private static String commandLine(ProcessHandle process) {
        return read(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    }

    /** What all processes wrote, executors as well. */
    String logs() {
        return DaemonLogs.below(
                directory,
                5,
                file -> file.toString().endsWith("log") || file.endsWith("stderr") || file.endsWith("stdout"));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name + " (expected: set by the build)");
    }

    @Override
    public void close() {
        Daemons.end(processes);
    }

    private static final List<String> OPENED = Stream.of(
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.reflect",
                    "java.io",
                    "java.net",
                    "java.nio",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "sun.nio.ch",
                    "sun.nio.cs",
                    "sun.security.action",
                    "sun.util.calendar")
            .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
            .toList();
}
