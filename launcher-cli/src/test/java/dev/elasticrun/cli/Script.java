/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code bin/elastic-run} as a real process; all that it starts carries a mark by which it is found. */
final class Script implements AutoCloseable {
    private static final String MARK = "SCRIPT_TEST_MARK";
    private static final long LIMIT_SECONDS = 60;
    /** What whoever started the build ignores, as {@code nohup} and shells in the background do, an agent ignores, too. */
    private static final List<String> HEED_SIGNALS = List.of("env", "--default-signal=HUP,INT");

    private static final int SIGNAL_BITS = 1 | 1 << 1;

    private final String mark = UUID.randomUUID().toString();
    private final Path output;
    private final Path errors;
    private final Process process;

    private Script(Path directory, Map<String, String> variables, List<String> command, boolean isRead)
            throws IOException {
        output = Files.createTempFile(directory, "out", ".txt");
        errors = Files.createTempFile(directory, "err", ".txt");
        List<String> heeding = new ArrayList<>(isAnyIgnored() ? HEED_SIGNALS : List.of());
        heeding.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(heeding)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(isRead ? ProcessBuilder.Redirect.to(errors.toFile()) : ProcessBuilder.Redirect.PIPE);
        builder.environment().keySet().removeIf(name -> name.startsWith("ELASTICRUN_") || name.startsWith("PET_"));
        builder.environment().put(MARK, mark);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(variables);
        process = builder.start();
    }

    static Script start(Path directory, String... arguments) throws IOException {
        return new Script(directory, Map.of(), command(arguments), true);
    }

    /** @param variables of the environment, besides this process's */
    static Script start(Path directory, Map<String, String> variables, String... arguments) throws IOException {
        return new Script(directory, variables, command(arguments), true);
    }

    /** Another command, which starts it. */
    static Script of(Path directory, List<String> command) throws IOException {
        return new Script(directory, Map.of(), command, true);
    }

    static String path() {
        return Path.of("bin/elastic-run").toAbsolutePath().toString();
    }

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(path()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Standard error is a pipe that takes 64 KiB, and then nothing. */
    static Script withoutReader(Path directory, String... arguments) throws IOException {
        return new Script(directory, Map.of(), command(arguments), false);
    }

    /** @param name without SIG */
    void signal(String name) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        assertThat(exitCode).as("kill -%s", name).isZero();
    }

    /** Waits for the end, and asserts that nothing is left. */
    int exitCode() throws IOException, InterruptedException {
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("ended; it printed: %s", err())
                .isTrue();
        assertThat(processes()).as("processes left").isEmpty();
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    String out() throws IOException {
        return Files.readString(output);
    }

    String err() throws IOException {
        return Files.readString(errors);
    }

    /** Processes that this script started and that still run, the script's own included. */
    List<Long> processes() throws IOException {
        List<Long> found = new ArrayList<>();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            all.filter(this::isMarked).forEach(one -> found.add(one.pid()));
        }
        return found;
    }

    private static boolean isAnyIgnored() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).trim(), 16) & SIGNAL_BITS) != 0;
    }

    private boolean isMarked(ProcessHandle one) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + one.pid() + "/environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Kills what is left when a test failed. */
    @Override
    public void close() throws IOException {
        for (long pid : processes()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
