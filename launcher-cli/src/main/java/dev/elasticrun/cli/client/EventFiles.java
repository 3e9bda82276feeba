/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Files of events, one for each node: what is left of a run when its agents have gone, or what they sent. */
public final class EventFiles {
    /** An agent writes its newest lines last. */
    private static final long END_BYTES = 1 << 16;

    private EventFiles() {}

    /** The directory of a run below the log directory; without a name, that of the only run there. */
    public static Optional<Path> find(Path logDirectory, Optional<String> runId) {
        if (runId.isPresent()) {
            Path named = logDirectory.resolve(runId.get()).normalize();
            return Optional.of(named).filter(path -> path.startsWith(logDirectory) && Files.isDirectory(path));
        }
        List<Path> runs = runs(logDirectory);
        return runs.size() == 1 ? Optional.of(runs.get(0)) : Optional.empty();
    }

    /** Whether an agent of the run has written events there. */
    public static boolean hasEvents(Path run) {
        try (Stream<Path> nodes = Files.list(run)) {
            return !regular(nodes, LogNames.EVENTS).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look into " + run, e);
        }
    }

    /** The directories below a log directory, each of which can be that of a run. */
    public static List<Path> runs(Path logDirectory) {
        if (!Files.isDirectory(logDirectory)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(logDirectory)) {
            return found.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look into " + logDirectory, e);
        }
    }

    /** Of the newest incarnation of the run, of all nodes whose files are here. */
    static List<Path> of(Path run) {
        try (Stream<Path> nodes = Files.list(run)) {
            List<Path> files = regular(nodes, LogNames.EVENTS);
            return newest(files)
                    .map(incarnation -> ofIncarnation(incarnation, files))
                    .orElse(files);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the events in " + run, e);
        }
    }

    /** Decisions of all nodes whose files are here, of any incarnation. */
    static List<Path> decisions(Path run) {
        try (Stream<Path> nodes = Files.list(run)) {
            return regular(nodes, LogNames.DECISIONS);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the decisions in " + run, e);
        }
    }

    /** The newest incarnation of a run; empty when no node here has joined one. */
    static Optional<String> incarnation(Path run) {
        try (Stream<Path> nodes = Files.list(run)) {
            return newest(regular(nodes, LogNames.EVENTS));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the events in " + run, e);
        }
    }

    private static List<Path> regular(Stream<Path> nodes, String name) {
        return nodes.map(node -> node.resolve(name))
                .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                .sorted()
                .toList();
    }

    private static Optional<String> newest(Collection<Path> events) {
        return events.stream()
                .map(EventFiles::last)
                .flatMap(Optional::stream)
                .max(Comparator.comparing(Last::time))
                .map(Last::incarnation);
    }

    /**
     * Passes on the events of the newest incarnation of a run, in the order of their times.
     *
     * @param run directory of the run, below the log directory
     * @throws UncheckedIOException when its files cannot be read
     */
    public static void forEach(Path run, Consumer<LoggedEvent> receiver) {
        merge(of(run), receiver);
    }

    /**
     * The process id of the agent of a node; empty = it has not joined the run yet, or its oldest events are gone.
     *
     * @param node directory of the node, below that of the run
     * @throws UncheckedIOException when its file cannot be read
     */
    public static OptionalLong agentPid(Path node) {
        try {
            byte[] first = new EventTail(node.resolve(LogNames.EVENTS), 0).next();
            return LoggedEvent.parseAll(new String(first, StandardCharsets.UTF_8)).stream()
                    .flatMap(event -> event.as(RunEvent.RunJoined.class).stream())
                    .mapToLong(RunEvent.RunJoined::pid)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the events in " + node, e);
        }
    }

    /** An agent belongs to one incarnation; what it writes before it has joined belongs to that, too. */
    static List<Path> ofIncarnation(String incarnation, Collection<Path> files) {
        return files.stream()
                .filter(file -> last(file)
                        .map(last -> last.incarnation().equals(incarnation))
                        .orElse(false))
                .toList();
    }

    private record Last(String incarnation, Instant time) {}

    private static Optional<Last> last(Path file) {
        EventTail tail = new EventTail(file, 0);
        List<Last> found = new ArrayList<>();
        try {
            tail.skipTo(END_BYTES);
            for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
                LoggedEvent.parseAll(new String(lines, StandardCharsets.UTF_8)).stream()
                        .filter(event -> !event.incarnation().isEmpty())
                        .forEach(event -> {
                            found.clear();
                            found.add(new Last(event.incarnation(), event.time()));
                        });
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        return found.stream().findFirst();
    }

    /** Shows the events of all files in the order of their times; of each file a part is in memory at a time. */
    static void merge(Collection<Path> files, Consumer<LoggedEvent> show) {
        try {
            PriorityQueue<Source> next = new PriorityQueue<>(Comparator.comparing(Source::time));
            for (Path file : files) {
                Source source = new Source(file);
                if (source.advance()) {
                    next.add(source);
                }
            }
            for (Source source = next.poll(); source != null; source = next.poll()) {
                show.accept(source.event());
                if (source.advance()) {
                    next.add(source);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read events", e);
        }
    }

    private static final class Source {
        private final EventTail tail;
        private final Deque<LoggedEvent> read = new ArrayDeque<>();

        Source(Path file) {
            this.tail = new EventTail(file, 0);
        }

        boolean advance() throws IOException {
            read.poll();
            while (read.isEmpty()) {
                byte[] lines = tail.next();
                if (lines.length == 0) {
                    return false;
                }
                // Damaged text is shown as it is read.
                read.addAll(LoggedEvent.parseAll(new String(lines, StandardCharsets.UTF_8)));
            }
            return true;
        }

        LoggedEvent event() {
            return read.element();
        }

        Instant time() {
            return event().time();
        }
    }
}
