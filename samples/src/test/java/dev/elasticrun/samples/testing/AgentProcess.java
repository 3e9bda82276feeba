/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.store.StoppedProcess;
import dev.elasticrun.testing.Patience;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** One agent in a process of its own, with a log directory of its own. Not thread-safe. */
public final class AgentProcess implements AutoCloseable {
    /** What whoever started the build ignores, as {@code nohup} and shells in the background do, an agent ignores, too. */
    private static final List<String> HEED_SIGNALS = List.of("env", "--default-signal=HUP,INT");

    private static final int SIGNAL_BITS = 1 | 1 << 1;

    private final Process process;
    private final Path logs;
    private final Path output;
    private AgentLog log = new AgentLog();
    private Optional<Path> followed = Optional.empty();
    /** Handles, not numbers: a handle never kills a stranger that got the number later. */
    private final Map<Long, ProcessHandle> workers = new HashMap<>();

    private long offset;

    private AgentProcess(Process process, Path logs, Path output) {
        this.process = process;
        this.logs = logs;
        this.output = output;
    }

    /** Runs the launcher of this project with a fresh log directory below {@code directory}. */
    public static AgentProcess start(Path directory, List<String> options, List<String> program) {
        return start(List.of(), directory, Map.of(), options, program);
    }

    /** The same on a node of a lab. */
    public static AgentProcess start(NetworkNode node, Path directory, List<String> options, List<String> program) {
        return start(node.enter(), directory, Map.of(), options, program);
    }

    /**
     * The same elsewhere, with further environment variables.
     *
     * @param enter what to put before a command so that it runs there
     */
    public static AgentProcess start(
            List<String> enter,
            Path directory,
            Map<String, String> environment,
            List<String> options,
            List<String> program) {
        try {
            Path logs = Files.createTempDirectory(directory, "agent-");
            Path output = logs.resolve("console.txt");
            List<String> command = new ArrayList<>(enter);
            command.addAll(isAnyIgnored() ? HEED_SIGNALS : List.of());
            command.add(Project.LAUNCHER.toString());
            command.addAll(options);
            command.addAll(List.of("--log-dir", logs.toString()));
            command.addAll(program);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(Project.ROOT.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return new AgentProcess(builder.start(), logs, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The log as far as it is written, of its newest node if the agent has started over. */
    public AgentLog log() {
        try {
            readOn();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return log;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The agent's JVM, also when the launcher script did not replace itself by it. */
    public ProcessHandle jvm() {
        if (isJava(process.toHandle())) {
            return process.toHandle();
        }
        return process.children().filter(AgentProcess::isJava).findFirst().orElse(process.toHandle());
    }

    /** One of this agent's workers, looked up before the clock starts. */
    public ProcessHandle worker(long pid) {
        return process.descendants()
                .filter(handle -> handle.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "pid: " + pid + " (expected: a process below the agent " + process.pid() + ")"));
    }

    /** The same of one that may have ended. */
    Optional<ProcessHandle> handle(long pid) {
        return Optional.ofNullable(workers.get(pid)).filter(ProcessHandle::isAlive);
    }

    /** Sends a signal to the agent's JVM. */
    public void signal(String name) {
        send(name, jvm());
    }

    /** Sends a signal to a process that this agent is or started; one that is to stop has stopped when this returns. */
    public static void send(String name, ProcessHandle target) {
        try {
            Process kill = new ProcessBuilder("kill", "-s", name, Long.toString(target.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("cannot send " + name + " to " + target.pid());
            }
            if (name.equals("STOP")) {
                StoppedProcess.await(target.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** What it was given as {@code --log-dir}. */
    public Path logs() {
        return logs;
    }

    /** Whether the agent has started over, as another node. */
    public boolean hasStartedOver() {
        return files().named(LogFiles.EVENTS).size() > 1;
    }

    /** The node's name; empty before it has written its first event. */
    public Optional<String> nodeId() {
        return eventFile().map(Path::getParent).map(Path::getFileName).map(Path::toString);
    }

    /** The first event of a kind that is later than {@code nanos}: it is logged after what follows from it, now and then. */
    public LoggedEvent awaitEvent(long nanos, String kind, Duration limit) {
        await(kind, limit, log -> !log.after(nanos, kind).isEmpty());
        return log().after(nanos, kind).get(0);
    }

    /** Until there is an event of that type; returns the first. */
    public <E extends RunEvent> E await(Class<E> type) {
        return await(type, event -> true);
    }

    /** Until there is an event of that type which is meant; returns the first. */
    public <E extends RunEvent> E await(Class<E> type, Predicate<E> isMeant) {
        await(type.getSimpleName(), TestRun.LIMIT, log -> log.all(type).stream().anyMatch(isMeant));
        return log().all(type).stream().filter(isMeant).findFirst().orElseThrow();
    }

    /** Until something holds for the log; fails at once when the agent ends before, and shows its last lines. */
    public void await(String awaited, Duration limit, Predicate<AgentLog> condition) {
        Patience.until(
                awaited,
                limit,
                () -> {
                    boolean ended = !isAlive();
                    if (condition.test(log())) {
                        return true;
                    }
                    if (ended) {
                        throw new IllegalStateException(
                                awaited + ": the agent ended with " + process.exitValue() + "; " + console());
                    }
                    return false;
                },
                this::console);
    }

    /** Until the agent's output contains a text. */
    public void awaitOutput(String text, Duration limit) {
        BooleanSupplier printed = () -> output().contains(text);
        Patience.until("output of '" + text + "'", limit, printed, this::console);
    }

    public int exitCode(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "end of the agent: not within " + limit.toSeconds() + " s; " + console());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** All that the agent printed, on both streams. */
    public String output() {
        return LogFiles.text(output);
    }

    /** What an attempt of a worker printed. */
    public String workerOutput(int slot, int attempt) {
        return files().texts("worker-" + slot + "." + attempt + "/" + LogFiles.OUTPUT).stream()
                .findFirst()
                .orElse("");
    }

    /** What all workers of this agent printed. */
    public List<String> workerOutputs() {
        return files().texts(LogFiles.OUTPUT);
    }

    /** Files of that name beside the logs of workers. */
    public List<String> saved(String name) {
        return files().texts(name);
    }

    /** The last lines that the agent printed. */
    public String console() {
        List<String> lines = output().lines().toList();
        return "the agent's last lines:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    /** Everything there is to know about this agent, for the report of a failed test. */
    public String everything() {
        StringBuilder text = new StringBuilder("==== agent ")
                .append(nodeId().orElse("without a node"))
                .append(isAlive() ? ", alive" : ", ended with " + process.exitValue())
                .append('\n')
                .append(output());
        for (String file : List.of(LogFiles.EVENTS, LogFiles.ERRORS)) {
            files().named(file).forEach(path -> text.append("---- ")
                    .append(logs.relativize(path))
                    .append('\n')
                    .append(LogFiles.text(path)));
        }
        return text.toString();
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

    /** As in a background job of a script: whoever is started there would not receive an interrupt. */
    private static boolean isAnyIgnored() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).trim(), 16) & SIGNAL_BITS) != 0;
    }

    private static boolean isJava(ProcessHandle handle) {
        return handle.info().command().filter(path -> path.endsWith("/java")).isPresent();
    }

    private void readOn() throws IOException {
        Optional<Path> file = eventFile();
        if (file.isEmpty()) {
            return;
        }
        if (!file.equals(followed)) {
            // The first, or that of the node as which the agent has started over.
            followed = file;
            log = new AgentLog();
            offset = 0;
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

    private Optional<Path> eventFile() {
        return files().named(LogFiles.EVENTS).stream()
                .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
    }

    private LogFiles files() {
        return new LogFiles(logs);
    }
}
