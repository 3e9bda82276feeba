/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.incident.RunEvent;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Files of events, one for each node: what is left of a run when its agents have gone, or what they sent. */
final class EventFiles {
    /** An agent writes its newest lines last. */
    private static final long END_BYTES = 1 << 16;

    private EventFiles() {}

    /** The directory of a run below the log directory; without a name, that of the only run there. */
    static Optional<Path> find(Path logDirectory, Optional<String> runId) {
        if (runId.isPresent()) {
            Path named = logDirectory.resolve(runId.get()).normalize();
            return Optional.of(named).filter(path -> path.startsWith(logDirectory) && Files.isDirectory(path));
        }
        List<Path> runs = runs(logDirectory);
        return runs.size() == 1 ? Optional.of(runs.get(0)) : Optional.empty();
    }

    private static List<Path> runs(Path logDirectory) {
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
            List<Path> files = nodes.map(node -> node.resolve(LogNames.EVENTS))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
            Optional<Last> newest = files.stream()
                    .map(EventFiles::last)
                    .flatMap(Optional::stream)
                    .max(Comparator.comparing(Last::time));
            return newest.map(last -> ofIncarnation(last.incarnation(), files)).orElse(files);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the events in " + run, e);
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
                RunEvent.parseAll(new String(lines, StandardCharsets.UTF_8)).stream()
                        .filter(event -> !event.text("incarnation").isEmpty())
                        .forEach(event -> {
                            found.clear();
                            found.add(new Last(event.text("incarnation"), event.time()));
                        });
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        return found.stream().findFirst();
    }

    /** Shows the events of all files in the order of their times; of each file one is in memory at a time. */
    static void merge(Collection<Path> files, Consumer<RunEvent> show) {
        List<Source> open = new ArrayList<>();
        try {
            PriorityQueue<Source> next = new PriorityQueue<>(Comparator.comparing(Source::time));
            for (Path file : files) {
                Source source = new Source(file);
                open.add(source);
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
        } finally {
            open.forEach(Source::close);
        }
    }

    private static final class Source {
        private final BufferedReader lines;
        private @Nullable RunEvent event;

        Source(Path file) throws IOException {
            // Damaged text is shown as it is read.
            this.lines = new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
        }

        boolean advance() throws IOException {
            event = null;
            String line = lines.readLine();
            while (line != null && event == null) {
                event = RunEvent.parse(line).orElse(null);
                line = event == null ? lines.readLine() : line;
            }
            return event != null;
        }

        RunEvent event() {
            return Objects.requireNonNull(event);
        }

        Instant time() {
            return event().time();
        }

        void close() {
            try {
                lines.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot close a file of events", e);
            }
        }
    }
}
