/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.soak;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.LogFiles;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks at one agent from outside. */
final class Probe {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern USED =
            Pattern.compile("(?:generation|garbage-first heap|PSYoungGen|ParOldGen)\\s+total \\d+K, used (\\d+)K");

    private final AgentProcess agent;
    private final Path runDirectory;
    private final EventCount events;
    private final Path collected;

    /**
     * @param runDirectory of its node
     * @param collected file to write, for the tool that has the heap collected
     */
    Probe(AgentProcess agent, Path runDirectory, Path collected) throws IOException {
        this.agent = agent;
        this.runDirectory = runDirectory;
        this.collected = collected;
        this.events =
                new EventCount(new LogFiles(agent.logs()).named(LogFiles.EVENTS).get(0));
        Files.write(collected, List.of("GC.run", "GC.heap_info"));
    }

    long events() throws IOException {
        return events.read();
    }

    /** @param letter before the names of columns */
    void into(Map<String, Long> values, String letter) throws IOException {
        Path process = Path.of("/proc", Long.toString(agent.jvm().pid()));
        values.put(letter + "_heap_kb", heapKilobytes());
        values.put(letter + "_rss_kb", status(process, "VmRSS"));
        values.put(letter + "_threads", status(process, "Threads"));
        values.put(letter + "_descriptors", (long) Objects.requireNonNull(new File(process + "/fd").list()).length);
        values.put(letter + "_event_bytes", bytes(agent.logs(), Probe::isEvents));
        values.put(letter + "_worker_log_bytes", bytes(agent.logs(), path -> !isEvents(path) && !isConsole(path)));
        values.put(letter + "_console_bytes", bytes(agent.logs(), Probe::isConsole));
        values.put(letter + "_run_directory_bytes", bytes(runDirectory, path -> true));
    }

    /** What files below a directory take that are there now. */
    static long bytes(Path directory, Predicate<Path> counted) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(counted).mapToLong(Probe::size).sum();
        } catch (UncheckedIOException e) {
            // Something was deleted while it was looked at.
            return bytes(directory, counted);
        }
    }

    private static long size(Path path) {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isEvents(Path path) {
        return path.getFileName().toString().startsWith(LogFiles.EVENTS);
    }

    private static boolean isConsole(Path path) {
        return path.endsWith("console.txt");
    }

    private long heapKilobytes() {
        Command.Result result = Command.run(
                Map.of(),
                LIMIT,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(agent.jvm().pid()),
                        "-f",
                        collected.toString()));
        long used = 0;
        Matcher matcher = USED.matcher(result.output());
        while (matcher.find()) {
            used += Long.parseLong(matcher.group(1));
        }
        if (used == 0) {
            throw new IllegalStateException("the heap of the agent: " + result.output());
        }
        return used;
    }

    private static long status(Path process, String name) throws IOException {
        return Files.readAllLines(process.resolve("status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
