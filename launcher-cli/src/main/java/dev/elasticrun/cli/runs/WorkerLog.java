/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What one process of a worker wrote to one stream, from files.
 *
 * @param worker local rank and attempt, with a dot between them
 * @param parts in the order in which they were written
 */
public record WorkerLog(String node, String worker, boolean isError, List<Path> parts) {
    private static final String WORKER = "worker-";
    private static final Pattern NAME = Pattern.compile("std(out|err)\\.log(?:\\.([0-9]{1,9}))?");

    public WorkerLog {
        parts = List.copyOf(parts);
    }

    // A file with the number that rotation gave it; 0 = it was written last.
    private record Part(Path file, boolean isError, int number) {
        static Stream<Part> of(Path file) {
            Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
            return name.matches() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    ? Stream.of(new Part(
                            file,
                            name.group(1).equals("err"),
                            name.group(2) == null ? 0 : Integer.parseInt(name.group(2))))
                    : Stream.of();
        }
    }

    /** Of all workers of a run, by node and worker, standard output first. */
    public static List<WorkerLog> of(Path run) {
        List<WorkerLog> logs = new ArrayList<>();
        for (Path node : list(run)) {
            for (Path worker : list(node)) {
                String name = String.valueOf(worker.getFileName());
                if (name.startsWith(WORKER)) {
                    List<Part> parts = list(worker).stream()
                            .flatMap(Part::of)
                            .sorted(Comparator.comparing(Part::number, Comparator.reverseOrder()))
                            .toList();
                    add(logs, node, name, false, parts);
                    add(logs, node, name, true, parts);
                }
            }
        }
        return logs;
    }

    private static void add(List<WorkerLog> logs, Path node, String worker, boolean isError, List<Part> parts) {
        List<Path> own = parts.stream()
                .filter(part -> part.isError() == isError)
                .map(Part::file)
                .toList();
        if (!own.isEmpty()) {
            logs.add(
                    new WorkerLog(String.valueOf(node.getFileName()), worker.substring(WORKER.length()), isError, own));
        }
    }

    /** As stdout or stderr. */
    public String stream() {
        return isError ? "stderr" : "stdout";
    }

    /** Among those of a run. */
    public String name() {
        return node + "/" + WORKER + worker + "/" + stream() + ".log";
    }

    /** Of all parts. */
    public long bytes() {
        long bytes = 0;
        for (Path part : parts) {
            try {
                bytes += Files.size(part);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot look at " + part, e);
            }
        }
        return bytes;
    }

    /** Passes on its lines as long as they are wanted. */
    public void forEachLine(Predicate<String> isMoreWanted) {
        for (Path part : parts) {
            // What a program wrote need not be text of one encoding; each byte is a character here and there.
            try (Stream<String> lines = Files.lines(part, StandardCharsets.ISO_8859_1)) {
                boolean all = lines.map(
                                line -> new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                        .allMatch(isMoreWanted);
                if (!all) {
                    return;
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + part, e);
            }
        }
    }

    private static List<Path> list(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(directory)) {
            return found.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look into " + directory, e);
        }
    }
}
