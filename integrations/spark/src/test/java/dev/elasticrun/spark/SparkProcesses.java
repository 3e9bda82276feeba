/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.samples.testing.DaemonLogs;
import dev.elasticrun.samples.testing.Daemons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The JVMs of a cluster and of its drivers. All files are below a directory of the test, and nothing runs after {@link #close}. */
final class SparkProcesses implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    /** Of all JVMs: those of the build, and none when something is measured. */
    static final String JAVA_OPTIONS = System.getProperty("elasticrun.spark.javaOpts", "");

    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    /** Logs of containers: those of the application, the container and its file are below those of the daemon. */
    private static final int DEPTH = 6;

    private final Path directory;
    private final Path temporary;
    private final Map<String, String> environment;
    private final List<Process> processes = new ArrayList<>();

    /**
     * @param temporary directory for temporary files of all processes, by which they are found
     * @param more environment, beside what all processes of Spark need here
     */
    SparkProcesses(Path directory, Path temporary, Map<String, String> more) throws IOException {
        this.directory = directory;
        this.temporary = temporary;
        this.environment = new HashMap<>(Map.of(
                // Of executors.
                "JAVA_HOME", JAVA_HOME.toString(),
                "SPARK_HOME", directory.resolve("home").toString(),
                "SPARK_LOCAL_IP", HOST,
                "SPARK_LOCAL_DIRS", directory.resolve("local").toString(),
                "SPARK_SCALA_VERSION", "2.13",
                "TMPDIR", temporary.toString()));
        environment.putAll(more);
        // Where Spark looks for its jars, which are on the class path of all here instead.
        Files.createDirectories(directory.resolve("home/jars"));
        // Pods have an empty one of their own in its place.
        Files.createDirectories(directory.resolve("local"));
    }

    Path directory() {
        return directory;
    }

    /** The option by which a JVM has its temporary files where they are looked for. */
    String temporaryFiles() {
        return "-Djava.io.tmpdir=" + temporary;
    }

    /**
     * Starts a JVM.
     *
     * @param name of its log
     * @param options of the JVM
     * @param program the main class and its arguments
     */
    Process start(String name, String classPath, List<String> options, List<String> program) {
        List<String> command =
                new ArrayList<>(List.of(JAVA_HOME.resolve("bin/java").toString()));
        command.addAll(options);
        // What Spark's own scripts add for its use of the JDK.
        command.addAll(OPENED);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        if (!JAVA_OPTIONS.isEmpty()) {
            command.addAll(List.of(JAVA_OPTIONS.split(" ")));
        }
        command.addAll(List.of(temporaryFiles(), "-cp", classPath));
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a process wrote. */
    String output(String name) {
        return read(log(name));
    }

    /** How many lines of a log have a text. */
    long lines(String name, String text) {
        return output(name).lines().filter(line -> line.contains(text)).count();
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    /** All that descend from these processes and run. */
    Stream<ProcessHandle> descendants() {
        return processes.stream().flatMap(process -> process.toHandle().descendants());
    }

    static String commandLine(ProcessHandle process) {
        return read(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    }

    /** What all processes wrote, executors as well, and the events of agents. */
    String logs() {
        return DaemonLogs.below(
                directory,
                DEPTH,
                file -> file.toString().endsWith("log")
                        || file.endsWith("stderr")
                        || file.endsWith("stdout")
                        || file.endsWith("events.jsonl"));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            return e.toString();
        }
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
