/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.incident.RunEvent;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The events of all nodes of a run: from agents that live; of nodes whose agents are gone from the files that those can
 * read; and from the files on this host when no agent is left.
 *
 * @param notes what is missing, in words
 */
record RunEvents(String run, List<RunEvent> events, List<String> notes) {
    static final String LOG_DIR = "--log-dir";
    private static final Duration LIMIT = Duration.ofSeconds(5);

    RunEvents {
        events = events.stream().sorted(Comparator.comparing(RunEvent::time)).toList();
        notes = List.copyOf(notes);
    }

    /** @throws UsageException when there is neither an agent nor a file of the run */
    static RunEvents of(Subcommand.Call call) {
        Optional<String> runId = call.value("--run-id");
        Optional<Path> logDirectory = call.value(LOG_DIR).map(Path::of).map(Path::toAbsolutePath);
        boolean isRemote = RemoteFlags.areGiven(call);
        if (logDirectory.isEmpty() && (isRemote || hasAgents(runId))) {
            try (RunContact contact = RunContact.of(call)) {
                return live(contact);
            } catch (RunContact.SilentException ended) {
                // Between the look and the question the run has ended: its files tell.
            }
        }
        Path logs = logDirectory.orElseGet(RunEvents::ownLogDirectory);
        Path run = EventFiles.find(logs, runId)
                .orElseThrow(() -> UsageException.of(
                        "--run-id", runId.orElse("not given"), RunFinder.whereElse(RunFinder.ANYWHERE, runId, logs)));
        return new RunEvents(String.valueOf(run.getFileName()), EventFiles.read(run), List.of());
    }

    private static Path ownLogDirectory() {
        Path logs = LocalRuns.logDirectory();
        LocalRuns.logDirectoryObjection().ifPresent(objection -> {
            throw UsageException.of(
                    LOG_DIR, logs.toString(), "the directory of the run's logs; the default " + objection);
        });
        return logs;
    }

    private static boolean hasAgents(Optional<String> runId) {
        return !runId.map(LocalRuns::find).orElseGet(LocalRuns::find).isEmpty();
    }

    private static RunEvents live(RunContact contact) {
        StatusReply status = contact.status();
        List<String> notes = new ArrayList<>();
        Map<String, Queue<RunEvent>> byNode = new LinkedHashMap<>();
        Set<String> heard = new HashSet<>();
        Map<String, EventStream> own = new LinkedHashMap<>();
        for (NodeStatus node : status.getNodesList()) {
            Queue<RunEvent> events = new ConcurrentLinkedQueue<>();
            byNode.put(node.getNodeId(), events);
            own.put(node.getNodeId(), open(contact, node, EventsRequest.getDefaultInstance(), events));
        }
        own.forEach((node, stream) -> {
            Optional<String> problem = stream.await(LIMIT);
            stream.close();
            if (problem.isEmpty()) {
                heard.add(node);
            } else {
                byNode.remove(node);
                notes.add("node " + node + " did not send its events: " + problem.get());
            }
        });
        List<RunEvent> all = new ArrayList<>();
        byNode.values().forEach(all::addAll);
        all.addAll(others(contact, status, heard, notes));
        return new RunEvents(status.getRunId(), RunEvent.ofIncarnation(status.getIncarnation(), all), notes);
    }

    /** Of nodes that did not answer, or are gone; each from the first agent that has its file. */
    static List<RunEvent> others(RunContact contact, StatusReply status, Set<String> heard, Collection<String> notes) {
        EventsRequest request =
                EventsRequest.newBuilder().setOthers(true).addAllExcept(heard).build();
        Map<EventStream, Queue<RunEvent>> streams = new LinkedHashMap<>();
        for (NodeStatus node : status.getNodesList()) {
            if (heard.contains(node.getNodeId())) {
                Queue<RunEvent> events = new ConcurrentLinkedQueue<>();
                streams.put(open(contact, node, request, events), events);
            }
        }
        List<RunEvent> found = new ArrayList<>();
        Set<String> known = new HashSet<>();
        streams.forEach((stream, events) -> {
            stream.await(LIMIT)
                    .ifPresent(problem -> notes.add(
                            "node " + stream.node() + " did not send what it has of other nodes: " + problem));
            stream.close();
            events.stream().filter(event -> !known.contains(event.node())).forEach(found::add);
            events.forEach(event -> known.add(event.node()));
        });
        return found;
    }

    private static EventStream open(
            RunContact contact, NodeStatus node, EventsRequest request, Queue<RunEvent> events) {
        return EventStream.openShort(node, contact, request, events::add);
    }
}
