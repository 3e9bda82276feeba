/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads the events of all nodes of a run from their files, as far as they are written. Any thread. */
final class EventReader {
    private final Path runDirectory;
    // Guarded by this.
    private final Map<Path, EventTail> tails = new TreeMap<>();
    private final List<LoggedEvent> events = new ArrayList<>();
    private final RunView view = new RunView();

    /** @param runDirectory logs of the run, below it of each node; need not exist yet */
    EventReader(Path runDirectory) {
        this.runDirectory = runDirectory;
    }

    /** Something of what is written by now; the view must not leave the function. */
    synchronized <T> T read(Function<RunView, T> question) {
        readOn();
        return question.apply(view);
    }

    /** Of all nodes, in the order of their times. */
    synchronized List<LoggedEvent> all() {
        readOn();
        return events.stream()
                .sorted(Comparator.comparingLong(LoggedEvent::nanos))
                .toList();
    }

    private void readOn() {
        try {
            look();
            for (EventTail tail : tails.values()) {
                for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
                    for (LoggedEvent event : LoggedEvent.parseAll(new String(lines, StandardCharsets.UTF_8))) {
                        events.add(event);
                        view.apply(event);
                    }
                }
            }
        } catch (ClosedByInterruptException e) {
            throw new IllegalStateException("interrupted", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the events in " + runDirectory, e);
        }
    }

    private void look() throws IOException {
        try (Stream<Path> nodes = Files.list(runDirectory)) {
            nodes.forEach(
                    node -> tails.computeIfAbsent(node, added -> new EventTail(added.resolve(LogNames.EVENTS), 0)));
        } catch (NoSuchFileException none) {
            // No agent has written anything yet.
        }
    }

    /** What each worker process there was wrote to standard output so far, in the order of starts. */
    List<String> outputs() {
        return all().stream()
                .flatMap(event -> event.as(RunEvent.WorkerStarted.class).stream()
                        .map(started -> output(event.node(), started.worker(), false)))
                .toList();
    }

    /** What one process of a slot wrote so far; empty when it wrote nothing. */
    String output(RunView.Slot slot, boolean stderr) {
        return output(slot.node(), new RunEvent.Worker(slot.slot(), slot.attempt()), stderr);
    }

    private String output(String node, RunEvent.Worker worker, boolean stderr) {
        Path file = LogNames.output(runDirectory.resolve(node), worker.slot(), worker.attempt(), stderr);
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException none) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
