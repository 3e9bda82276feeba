/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.decisions.DecisionLine;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.StatusReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What the coordinators of a run decided, from where {@link RunEvents} are: of its newest incarnation. Recorded decisions
 * are read when they are asked for.
 */
public final class RunDecisions implements AutoCloseable {
    private final String run;
    private final Optional<String> incarnation;
    private final List<Path> files;
    private final List<String> notes;
    private final Optional<EventSpool> spool;

    private RunDecisions(
            String run,
            Optional<String> incarnation,
            Collection<Path> files,
            List<String> notes,
            Optional<EventSpool> spool) {
        this.run = run;
        this.incarnation = incarnation;
        this.files = List.copyOf(files);
        this.notes = List.copyOf(notes);
        this.spool = spool;
    }

    /** Throws as {@link RunEvents#of} does. */
    public static RunDecisions of(Invocation call) {
        return RunEvents.of(call, RunDecisions::live, RunDecisions::ended);
    }

    private static RunDecisions live(RunContact contact) {
        StatusReply status = contact.status();
        List<String> notes = new ArrayList<>();
        EventSpool spool = new EventSpool();
        boolean isDone = false;
        try {
            EventsRequest what = EventsRequest.newBuilder().setDecisions(true).build();
            List<Path> all = RunEvents.fetch(contact, status, what, notes, spool);
            isDone = true;
            return new RunDecisions(
                    status.getRunId(), Optional.of(status.getIncarnation()), all, notes, Optional.of(spool));
        } finally {
            if (!isDone) {
                spool.close();
            }
        }
    }

    private static RunDecisions ended(Path run) {
        return new RunDecisions(
                String.valueOf(run.getFileName()),
                EventFiles.incarnation(run),
                EventFiles.decisions(run),
                List.of(),
                Optional.empty());
    }

    public String run() {
        return run;
    }

    /** What is missing, as text. */
    public List<String> notes() {
        return notes;
    }

    /** Numbers of the incidents of which decisions are recorded. */
    public SortedSet<Long> incidents() {
        SortedSet<Long> incidents = new TreeSet<>();
        forEach(line -> stamp(line).ifPresent(stamp -> incidents.add(stamp.incident())));
        return incidents;
    }

    /**
     * The decisions of one incident and the waits that led to them, in order.
     *
     * @throws IllegalArgumentException when one is of another schema, or damaged
     */
    public List<DecisionLine> of(long incident) {
        List<DecisionLine> found = new ArrayList<>();
        forEach(line -> stamp(line)
                .filter(stamp -> stamp.incident() == incident)
                .ifPresent(stamp -> found.add(parse(stamp, line))));
        // The order of lines of one time stays.
        found.sort(Comparator.comparing(line -> line.stamp().time()));
        return found;
    }

    private static DecisionLine parse(DecisionLine.Stamp stamp, String line) {
        try {
            return DecisionLine.parse(line);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "decision of node " + stamp.node() + " at " + stamp.time() + ": " + e.getMessage(), e);
        }
    }

    /** Empty when it is no decision, or one of another incarnation. */
    private Optional<DecisionLine.Stamp> stamp(String line) {
        return DecisionLine.stampOf(line)
                .filter(stamp -> incarnation.map(stamp.incarnation()::equals).orElse(true));
    }

    private void forEach(Consumer<String> receiver) {
        for (Path file : files) {
            EventTail tail = new EventTail(file, 0);
            try {
                for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
                    new String(lines, StandardCharsets.UTF_8).lines().forEach(receiver);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + file, e);
            }
        }
    }

    @Override
    public void close() {
        spool.ifPresent(EventSpool::close);
    }
}
