/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.cli.client.EventFiles;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.RemoteFlags;
import dev.elasticrun.cli.text.PlainText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What workers of a run wrote that has no agent here any more, from its files on this host.
 *
 * @param run its directory
 */
record EndedLogs(Path run) {
    private static final String WORKER = "worker-";

    /** Empty when an agent can be asked, or there are no files. */
    static Optional<EndedLogs> of(Invocation call) {
        Optional<String> runId = call.value("--run-id");
        boolean isLive = RemoteFlags.areGiven(call)
                || !runId.map(LocalRuns::find).orElseGet(LocalRuns::find).isEmpty();
        return isLive && call.value(RunEvents.LOG_DIR).isEmpty()
                ? Optional.empty()
                : EventFiles.find(RunEvents.logDirectory(call), runId).map(EndedLogs::new);
    }

    /**
     * Prints each line after its node, local rank and attempt, in the order in which a worker wrote them; standard
     * error on standard error. Each of the two ends when it has no reader any more.
     *
     * @param raw whether control characters are printed as they are
     */
    void show(boolean raw, PrintStream out, PrintStream err) {
        for (Path node : list(run)) {
            for (Path worker : list(node)) {
                String name = String.valueOf(worker.getFileName());
                if (name.startsWith(WORKER) && Files.isDirectory(worker)) {
                    String prefix = "[" + node.getFileName() + " " + name.substring(WORKER.length()) + "]: ";
                    for (Part part : parts(worker)) {
                        print(part.file(), prefix, raw, part.isError() ? err : out);
                    }
                }
            }
        }
    }

    /** One of the files of a stream of a worker, with the number that rotation gave it; 0 = it was written last. */
    private record Part(Path file, boolean isError, int number) {
        private static final Pattern NAME = Pattern.compile("std(out|err)\\.log(?:\\.([0-9]{1,9}))?");

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

    private static List<Part> parts(Path worker) {
        return list(worker).stream()
                .flatMap(Part::of)
                .sorted(Comparator.comparing(Part::isError).thenComparing(Part::number, Comparator.reverseOrder()))
                .toList();
    }

    private static void print(Path file, String prefix, boolean raw, PrintStream to) {
        // What a program wrote need not be text of one encoding; each byte is a character here and there.
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            lines.takeWhile(line -> !to.checkError())
                    .map(line -> new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                    .forEach(line -> to.println(prefix + (raw ? line : PlainText.colouredLine(line))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
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
