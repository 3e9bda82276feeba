/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import dev.elasticrun.rendezvous.store.MachinePart;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command as a user starts it: with an environment of its own, and as root not as root. Not thread-safe. */
final class UserProcess implements AutoCloseable {
    /** Of nobody else. */
    static final int USER = 1_000_000 + 100 * (int) ProcessHandle.current().pid();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final Path output;
    private final Path errors;

    private UserProcess(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /**
     * @param directory the current one, in which output is kept
     * @param environment all of it
     */
    static UserProcess start(Path directory, Map<String, String> environment, List<String> command) throws IOException {
        List<String> whole = new ArrayList<>();
        if (isRoot()) {
            whole.addAll(List.of("setpriv", "--reuid", Integer.toString(USER), "--regid", Integer.toString(USER)));
            whole.add("--clear-groups");
        }
        whole.add("env");
        whole.add("-i");
        environment.forEach((name, value) -> whole.add(name + "=" + value));
        whole.addAll(command);
        return of(directory, whole);
    }

    /** A command as this process starts it. */
    static UserProcess of(Path directory, List<String> command) throws IOException {
        Path output = Files.createTempFile(directory, "out", ".txt");
        Path errors = Files.createTempFile(directory, "err", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        return new UserProcess(process, output, errors);
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Ends the test where the user is another one. */
    static void requireRoot(String purpose) {
        MachinePart.require("root, for " + purpose, () -> {
            if (!isRoot()) {
                throw new IllegalStateException("user " + System.getProperty("user.name"));
            }
            return true;
        });
    }

    /** A directory that this user and the user of processes can enter, and only the latter can write to. */
    static Path directory(Path parent, String name) throws IOException, InterruptedException {
        Path directory = Files.createDirectory(parent.resolve(name));
        if (isRoot()) {
            Product.run("chown", Integer.toString(USER), directory.toString());
        }
        return directory;
    }

    String out() {
        return read(output);
    }

    String err() {
        return read(errors);
    }

    /** Until it has printed this. */
    void awaitOutput(String text) {
        Patience.until(
                "output of '" + text + "'", LIMIT, () -> !process.isAlive() || hasPrinted(text), () -> out() + err());
        if (!hasPrinted(text)) {
            throw new IllegalStateException("ended without output of '" + text + "'; " + out() + err());
        }
    }

    private boolean hasPrinted(String text) {
        return (out() + err()).contains(text);
    }

    /** The worker of that local rank, of which there is one at most at any time. */
    ProcessHandle worker(int localRank) {
        return process.descendants()
                .filter(one -> hasVariable(one, "LOCAL_RANK=" + localRank))
                // Not what it has started.
                .min(Comparator.comparing(ProcessHandle::pid))
                .orElseThrow(() -> new IllegalStateException("no worker " + localRank + ": " + out() + err()));
    }

    /** @param name without SIG */
    void signal(String name) throws IOException, InterruptedException {
        Product.run("kill", "-" + name, Long.toString(process.pid()));
    }

    /** The process itself: what comes before the command is replaced by it. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits for the end. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("still there after " + LIMIT.toSeconds() + " s; " + out() + err());
        }
        return process.exitValue();
    }

    private static boolean hasVariable(ProcessHandle one, String variable) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + one.pid() + "/environ"));
            return ("\0" + new String(environment, StandardCharsets.ISO_8859_1)).contains("\0" + variable + "\0");
        } catch (IOException gone) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
