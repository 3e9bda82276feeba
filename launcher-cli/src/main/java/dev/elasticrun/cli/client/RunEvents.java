/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.RemoteFlags;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The events of all nodes of a run: from agents that live; of nodes whose agents are gone from the files that those can
 * read; and from the files on this host when no agent is left. They are in files until they are shown.
 */
public final class RunEvents implements AutoCloseable {
    public static final String LOG_DIR = "--log-dir";
    public static final String LOG_DIR_HELP = "Read the files of a run that has ended, below DIR. Default: the variable"
            + " ELASTICRUN_LOG_DIR, else where agents keep logs.";
    private static final String LOG_DIR_VARIABLE = Settings.LOG_DIR.variables().get(0);
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final String run;
    private final List<Path> files;
    private final List<String> notes;
    private final Optional<EventSpool> spool;

    private RunEvents(String run, List<Path> files, List<String> notes, Optional<EventSpool> spool) {
        this.run = run;
        this.files = List.copyOf(files);
        this.notes = List.copyOf(notes);
        this.spool = spool;
    }

    public String run() {
        return run;
    }

    /** What is missing, as text. */
    public List<String> notes() {
        return notes;
    }

    /** In the order of their times. */
    public void forEach(Consumer<LoggedEvent> show) {
        EventFiles.merge(files, show);
    }

    @Override
    public void close() {
        spool.ifPresent(EventSpool::close);
    }

    /**
     * @throws UsageException when there is neither an agent nor a file of the run
     * @throws RunContact.SilentException when there is no file of it, and no agent answers
     */
    public static RunEvents of(Invocation call) {
        return of(
                call,
                RunEvents::live,
                run -> new RunEvents(
                        String.valueOf(run.getFileName()), EventFiles.of(run), List.of(), Optional.empty()));
    }

    /**
     * The same for what else agents write beside their events.
     *
     * @param live what agents have, by one of them
     * @param ended what is in the directory of a run
     */
    static <T> T of(Invocation call, Function<RunContact, T> live, Function<Path, T> ended) {
        Optional<String> runId = call.value("--run-id");
        Optional<Path> logDirectory = call.value(LOG_DIR).map(Path::of).map(Path::toAbsolutePath);
        boolean isRemote = RemoteFlags.areGiven(call);
        RunContact.SilentException silent = null;
        if (logDirectory.isEmpty() && (isRemote || hasAgents(runId))) {
            try (RunContact contact = RunContact.of(call)) {
                return live.apply(contact);
            } catch (RunContact.SilentException e) {
                // Between the look and the question the run may have ended: its files have the rest.
                silent = e;
            }
        }
        Path logs = logDirectory(call);
        Optional<Path> found = EventFiles.find(logs, runId);
        if (found.isEmpty() && silent != null && (isRemote || hasAgents(runId))) {
            throw silent;
        }
        Path run = found.orElseThrow(() -> UsageException.of(
                "--run-id", runId.orElse("not given"), RunFinder.whereElse(RunFinder.ANYWHERE, runId, logs)));
        return ended.apply(run);
    }

    private static Path ownLogDirectory() {
        Path logs = LocalRuns.logDirectory();
        LocalRuns.logDirectoryObjection().ifPresent(objection -> {
            throw UsageException.of(
                    LOG_DIR, logs.toString(), "the directory of the run's logs; the default " + objection);
        });
        return logs;
    }

    /** As agents find it: the flag, the variable, the default. */
    public static Path logDirectory(Invocation call) {
        return call.value(LOG_DIR)
                .or(() -> Optional.ofNullable(call.environment().get(LOG_DIR_VARIABLE))
                        .filter(value -> !value.isEmpty()))
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .orElseGet(RunEvents::ownLogDirectory);
    }

    private static boolean hasAgents(Optional<String> runId) {
        return !runId.map(LocalRuns::find).orElseGet(LocalRuns::find).isEmpty();
    }

    private static RunEvents live(RunContact contact) {
        StatusReply status = contact.status();
        List<String> notes = new ArrayList<>();
        EventSpool spool = new EventSpool();
        boolean isDone = false;
        try {
            List<Path> all = fetch(contact, status, EventsRequest.getDefaultInstance(), notes, spool);
            isDone = true;
            return new RunEvents(
                    status.getRunId(),
                    EventFiles.ofIncarnation(status.getIncarnation(), all),
                    notes,
                    Optional.of(spool));
        } finally {
            if (!isDone) {
                spool.close();
            }
        }
    }

    /**
     * One file for each node that something is known of, from its agent or from one that can read its files.
     *
     * @param what which lines are wanted
     * @param notes receives what is missing
     */
    static List<Path> fetch(
            RunContact contact, StatusReply status, EventsRequest what, Collection<String> notes, EventSpool spool) {
        Map<String, EventStream> own = new LinkedHashMap<>();
        for (NodeStatus node : status.getNodesList()) {
            own.put(node.getNodeId(), open(contact, node, what, spool));
        }
        Set<String> answered = new HashSet<>();
        own.forEach((node, stream) -> {
            Optional<String> problem = stream.await(LIMIT);
            stream.close();
            if (problem.isEmpty()) {
                answered.add(node);
            } else {
                notes.add("node " + node + " did not send its events: " + problem.get());
            }
        });
        Map<String, Path> files = spool.files();
        List<Path> all = new ArrayList<>();
        answered.forEach(
                node -> Optional.ofNullable(files.get(source(node, node))).ifPresent(all::add));
        all.addAll(others(contact, status, what, answered, notes, spool));
        return all;
    }

    /** Of nodes that did not answer, or are gone; each from the first agent that has its file. */
    static List<Path> others(
            RunContact contact, StatusReply status, Set<String> answered, Collection<String> notes, EventSpool spool) {
        return others(contact, status, EventsRequest.getDefaultInstance(), answered, notes, spool);
    }

    private static List<Path> others(
            RunContact contact,
            StatusReply status,
            EventsRequest what,
            Set<String> answered,
            Collection<String> notes,
            EventSpool spool) {
        EventsRequest request =
                what.toBuilder().setOthers(true).addAllExcept(answered).build();
        List<EventStream> streams = status.getNodesList().stream()
                .filter(node -> answered.contains(node.getNodeId()))
                .map(node -> open(contact, node, request, spool))
                .toList();
        for (EventStream stream : streams) {
            stream.await(LIMIT)
                    .ifPresent(problem -> notes.add(
                            "node " + stream.node() + " did not send what it has of other nodes: " + problem));
            stream.close();
        }
        Map<String, Path> files = spool.files();
        Map<String, Path> found = new TreeMap<>();
        for (EventStream stream : streams) {
            String start = source(stream.node(), "");
            files.forEach((source, file) -> {
                String node = source.startsWith(start) ? source.substring(start.length()) : "";
                if (!node.isEmpty() && !answered.contains(node)) {
                    found.putIfAbsent(node, file);
                }
            });
        }
        return List.copyOf(found.values());
    }

    /** What one agent has of one node. */
    private static String source(String agent, String node) {
        return agent + "/" + node;
    }

    private static EventStream open(RunContact contact, NodeStatus node, EventsRequest request, EventSpool spool) {
        return EventStream.openShort(
                node, contact, request, part -> spool.add(source(node.getNodeId(), part.getNodeId()), part.getLines()));
    }
}
