/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Events of a run as they happen, also of nodes that join later, until no agent is left. */
public final class EventFollower implements AutoCloseable {
    /** What happened so close together is put in order before it is shown. */
    private static final Duration COLLECT = Duration.ofMillis(250);
    // New nodes are looked for once in this number of collecting rounds.
    private static final int LOOK_EVERY = 4;

    private static final int MAX_RECEIVED = 5000;
    private static final long FULL_NANOS = 5_000_000;

    private final RunContact contact;
    private final Consumer<String> notes;
    private final Map<String, EventStream> streams = new LinkedHashMap<>();
    private final Queue<LoggedEvent> received = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    public EventFollower(RunContact contact, Consumer<String> notes) {
        this.contact = contact;
        this.notes = notes;
    }

    /** @throws RunContact.SilentException when no agent answers at the beginning */
    public void run(Consumer<LoggedEvent> show, BooleanSupplier readerIsGone) {
        StatusReply status = contact.status();
        open(status);
        gone(status, show);
        boolean isThere = true;
        for (int round = 1; (isThere || !allOver()) && !readerIsGone.getAsBoolean(); round++) {
            if (received.size() < MAX_RECEIVED) {
                LockSupport.parkNanos(COLLECT.toNanos());
            }
            show(show);
            if (round % LOOK_EVERY == 0 && isThere) {
                isThere = look();
            }
        }
        show(show);
    }

    private void gone(StatusReply status, Consumer<LoggedEvent> show) {
        Set<String> live = new HashSet<>(streams.keySet());
        List<String> problems = new ArrayList<>();
        try (EventSpool spool = new EventSpool()) {
            List<Path> files = RunEvents.others(contact, status, live, problems, spool);
            EventFiles.merge(EventFiles.ofIncarnation(status.getIncarnation(), files), show);
        }
        problems.forEach(notes);
    }

    private boolean look() {
        try {
            open(contact.status());
            return true;
        } catch (RunContact.SilentException ended) {
            return false;
        }
    }

    private void open(StatusReply status) {
        EventsRequest request = EventsRequest.newBuilder().setFollow(true).build();
        for (NodeStatus node : status.getNodesList()) {
            streams.computeIfAbsent(
                    node.getNodeId(), nodeId -> EventStream.open(node, contact, request, this::receive));
        }
    }

    // Blocks while much is still to be shown: then the agent sends nothing more.
    private void receive(EventsReply part) {
        for (LoggedEvent event : LoggedEvent.parseAll(part.getLines().toStringUtf8())) {
            while (received.size() >= MAX_RECEIVED && !closed) {
                LockSupport.parkNanos(FULL_NANOS);
            }
            received.add(event);
        }
    }

    private boolean allOver() {
        return streams.values().stream().allMatch(EventStream::isOver);
    }

    private void show(Consumer<LoggedEvent> show) {
        List<LoggedEvent> batch = new ArrayList<>();
        for (LoggedEvent event = received.poll(); event != null; event = received.poll()) {
            batch.add(event);
        }
        batch.stream().sorted(Comparator.comparing(LoggedEvent::time)).forEach(show);
    }

    @Override
    public void close() {
        closed = true;
        streams.values().forEach(EventStream::close);
    }
}
