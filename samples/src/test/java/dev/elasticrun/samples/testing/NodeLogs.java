/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Logs of all agents of a run that keep them below one directory, whoever started them. */
public final class NodeLogs {
    private final LogFiles files;
    private final LongPredicate running;
    private final Supplier<String> state;

    /**
     * Of agents whose workers are processes of this process namespace.
     *
     * @param logs what the agents are given as {@code --log-dir}
     * @param state describes what there is when something has not come in time
     */
    public NodeLogs(Path logs, Supplier<String> state) {
        this(logs, pid -> ProcessHandle.of(pid).filter(Processes::isRunning).isPresent(), state);
    }

    /** @param running whether the worker of that process id runs: a node that has died has not logged the ends of its workers */
    public NodeLogs(Path logs, LongPredicate running, Supplier<String> state) {
        this.files = new LogFiles(logs);
        this.running = running;
        this.state = state;
    }

    /** Of each node there was, by name, as far as it is written. */
    public Map<String, AgentLog> byNode() {
        Map<String, AgentLog> nodes = new TreeMap<>();
        for (Path file : files.named(LogFiles.EVENTS)) {
            AgentLog log = new AgentLog();
            LogFiles.events(file).forEach(log::add);
            nodes.put(file.getName(file.getNameCount() - 2).toString(), log);
        }
        return nodes;
    }

    /** Processes of the running workers, by node. */
    public Map<String, List<Long>> workers() {
        Map<String, List<Long>> workers = new TreeMap<>();
        byNode().forEach((node, log) -> {
            List<Long> pids = running(log).map(AgentLog.Slot::pid).toList();
            if (!pids.isEmpty()) {
                workers.put(node, pids);
            }
        });
        return workers;
    }

    /** Of how many nodes the workers are the same processes. */
    public static long kept(Map<String, List<Long>> before, Map<String, List<Long>> after) {
        return before.entrySet().stream().filter(after.entrySet()::contains).count();
    }

    /**
     * Until so many workers run, all of which have completed an operation in one and the same round.
     *
     * @param after a round before that
     * @return the round's number
     */
    public long awaitTogether(long after, int workers) {
        Patience.until(
                workers + " workers in one round after " + after,
                TestRun.LIMIT,
                () -> AgentLog.Slot.areTogether(running(), workers, after),
                state);
        return running().get(0).resumedRound();
    }

    private List<AgentLog.Slot> running() {
        return byNode().values().stream().flatMap(this::running).toList();
    }

    private Stream<AgentLog.Slot> running(AgentLog log) {
        return log.running().stream().filter(slot -> running.test(slot.pid()));
    }

    /** What all workers printed. */
    public List<String> workerOutputs() {
        return files.texts(LogFiles.OUTPUT);
    }
}
