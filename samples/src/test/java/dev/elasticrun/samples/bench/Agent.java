/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One agent in a process of its own, with a log directory of its own. Not thread-safe. */
final class Agent implements AutoCloseable {
    private final Process process;
    private final Path logs;
    private final Path output;
    private final AgentLog log = new AgentLog();
    /** Handles, not numbers: a handle never kills a stranger that got the number later. */
    private final Map<Long, ProcessHandle> workers = new HashMap<>();

    private long offset;

    private Agent(Process process, Path logs, Path output) {
        this.process = process;
        this.logs = logs;
        this.output = output;
    }

    /** Runs the launcher of this project with a fresh log directory below {@code directory}. */
    static Agent start(Path directory, List<String> options, List<String> program) {
        try {
            Path logs = Files.createTempDirectory(directory, "agent-");
            Path output = logs.resolve("console.txt");
            List<String> command = new ArrayList<>();
            command.add(Project.LAUNCHER.toString());
            command.addAll(options);
            command.addAll(List.of("--log-dir", logs.toString()));
            command.addAll(program);
            Process process = new ProcessBuilder(command)
                    .directory(Project.ROOT.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new Agent(process, logs, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The log as far as it is written. */
    AgentLog log() {
        try {
            readOn();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return log;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The agent's JVM, also when the launcher script did not replace itself by it. */
    ProcessHandle jvm() {
        if (isJava(process.toHandle())) {
            return process.toHandle();
        }
        return process.children().filter(Agent::isJava).findFirst().orElse(process.toHandle());
    }

    /** One of this agent's workers, looked up before the clock starts. */
    ProcessHandle worker(long pid) {
        return process.descendants()
                .filter(handle -> handle.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "pid: " + pid + " (expected: a process below the agent " + process.pid() + ")"));
    }

    int exitCode(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("end of the run: not within " + limit.toSeconds() + " s; " + console());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The last lines that the agent printed. */
    String console() {
        try {
            List<String> lines = Files.readAllLines(output, StandardCharsets.ISO_8859_1);
            return "the agent's last lines:\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
        } catch (IOException e) {
            return "no output: " + e;
        }
    }

    /** Kills the agent and whatever is still below it, and waits for the end. */
    @Override
    public void close() {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        workers.values().forEach(ProcessHandle::destroyForcibly);
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static boolean isJava(ProcessHandle handle) {
        return handle.info().command().filter(path -> path.endsWith("/java")).isPresent();
    }

    private void readOn() throws IOException {
        Optional<Path> file = eventFile();
        if (file.isEmpty()) {
            return;
        }
        byte[] bytes;
        try (FileChannel channel = FileChannel.open(file.get(), StandardOpenOption.READ)) {
            ByteBuffer rest = ByteBuffer.allocate((int) (channel.size() - offset));
            channel.position(offset);
            while (rest.hasRemaining() && channel.read(rest) >= 0) {
                // Fill the buffer.
            }
            bytes = new byte[rest.flip().remaining()];
            rest.get(bytes);
        }
        int start = 0;
        for (int end = 0; end < bytes.length; end++) {
            if (bytes[end] == '\n') {
                add(LoggedEvent.parse(new String(bytes, start, end - start, StandardCharsets.UTF_8)));
                start = end + 1;
            }
        }
        offset += start;
    }

    private void add(LoggedEvent event) {
        log.add(event);
        if (event.is("worker.started")) {
            process.descendants()
                    .filter(handle -> handle.pid() == event.number("pid"))
                    .forEach(handle -> workers.put(handle.pid(), handle));
        }
    }

    private Optional<Path> eventFile() throws IOException {
        try (Stream<Path> files = Files.find(logs, 4, (path, info) -> path.endsWith("events.jsonl"))) {
            return files.findFirst();
        }
    }
}
