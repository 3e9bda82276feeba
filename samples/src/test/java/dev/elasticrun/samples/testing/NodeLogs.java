/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Logs of all agents of a run that keep them below one directory, whoever started them. */
public final class NodeLogs {
    private static final int DEPTH = 4;

    private final Path logs;
    private final Supplier<String> state;

    /**
     * @param logs what the agents are given as {@code --log-dir}
     * @param state describes what there is when something has not come in time
     */
    public NodeLogs(Path logs, Supplier<String> state) {
        this.logs = logs;
        this.state = state;
    }

    /** Of each node there was, by name, as far as it is written. */
    public Map<String, AgentLog> byNode() {
        Map<String, AgentLog> nodes = new TreeMap<>();
        for (Path file : files("events.jsonl")) {
            AgentLog log = new AgentLog();
            String text = read(file);
            // The last line may not be complete yet.
            text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(LoggedEvent::parse)
                    .forEach(log::add);
            nodes.put(file.getName(file.getNameCount() - 2).toString(), log);
        }
        return nodes;
    }

    /** Processes of the running workers, by node. */
    public Map<String, List<Long>> workers() {
        Map<String, List<Long>> workers = new TreeMap<>();
        byNode().forEach((node, log) -> {
            if (!log.running().isEmpty()) {
                workers.put(node, log.running().stream().map(AgentLog.Slot::pid).toList());
            }
        });
        return workers;
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
                () -> {
                    List<AgentLog.Slot> running = running();
                    return running.size() == workers
                            && running.get(0).resumedRound() > after
                            && running.stream()
                                            .map(AgentLog.Slot::resumedRound)
                                            .distinct()
                                            .count()
                                    == 1;
                },
                state);
        return running().get(0).resumedRound();
    }

    private List<AgentLog.Slot> running() {
        return byNode().values().stream().flatMap(log -> log.running().stream()).toList();
    }

    /** What all workers printed. */
    public List<String> workerOutputs() {
        return files("stdout.log").stream().map(NodeLogs::read).toList();
    }

    private List<Path> files(String name) {
        try (Stream<Path> found =
                Files.find(logs, DEPTH, (path, info) -> info.isRegularFile() && path.endsWith(name))) {
            return found.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
