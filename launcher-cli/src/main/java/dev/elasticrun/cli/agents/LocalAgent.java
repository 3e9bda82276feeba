/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.agent.process.ProcFile;
import dev.elasticrun.cli.network.NetworkHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An agent that this process started. Any thread. */
public final class LocalAgent {
    private static final Path PROC = Path.of("/proc");

    private final int number;
    private final Process process;
    private final Optional<NetworkHost> host;
    private final Path output;
    private volatile boolean ending;

    /**
     * @param number from 1, in the order of starts
     * @param host of the private network; empty = this one
     */
    LocalAgent(int number, Process process, Optional<NetworkHost> host, Path output) {
        this.number = number;
        this.process = process;
        this.host = host;
        this.output = output;
    }

    public int number() {
        return number;
    }

    public long pid() {
        return process.pid();
    }

    /** What it wrote to standard output and standard error. */
    public Path output() {
        return output;
    }

    public Process process() {
        return process;
    }

    /** Where it runs in the private network; empty = there is none. */
    public Optional<NetworkHost> host() {
        return host;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Empty while it runs. */
    public Optional<Integer> exitCode() {
        return process.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
    }

    /** Whether it has ended, and neither {@code kill} nor {@link #drain} was called. */
    public boolean endedByItself() {
        return !process.isAlive() && !ending;
    }

    /** Its processes: workers, and its guard. */
    List<ProcessHandle> children() {
        return process.children().toList();
    }

    /** A worker of it that lives. */
    public Optional<ProcessHandle> worker(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(handle -> handle.parent()
                .filter(parent -> parent.pid() == process.pid())
                .isPresent());
    }

    /**
     * Sends SIGKILL to it and then to the given processes of it.
     *
     * @param workers its guard is not one of them: it removes the agent's directories
     */
    void kill(List<ProcessHandle> workers) {
        ending = true;
        process.destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
    }

    /** Sends SIGTERM: it drains. */
    public void drain() {
        ending = true;
        process.destroy();
    }

    /** What it takes now; empty when that cannot be read. */
    Optional<AgentUse> use(long nowNanos) {
        Path proc = PROC.resolve(Long.toString(pid()));
        try (Stream<Path> files = Files.list(proc.resolve("fd"))) {
            int open = (int) files.count();
            int threads =
                    (int) ProcFile.number(proc.resolve("status"), "Threads:").orElse(0);
            return Optional.of(new AgentUse(nowNanos, ProcFile.residentBytes(PROC, pid()), open, threads));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** The last lines that it wrote. */
    public List<String> lastLines(int count) {
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(output, StandardCharsets.ISO_8859_1));
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException unreadable) {
            return List.of();
        }
    }
}
