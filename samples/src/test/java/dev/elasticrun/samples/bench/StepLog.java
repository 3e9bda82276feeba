/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The steps of all workers of a run, each of which has a file of its own with a line {@code NANOS WORLD STEP} for each step
 * that it has completed, on the clock of {@link System#nanoTime()}. Pure but for {@link #read}.
 */
final class StepLog {
    /** Of the file of a worker, after its process id. */
    static final String SUFFIX = ".steps";

    private static final double NANOS = 1e9;

    private final List<Made> steps;

    StepLog(List<Made> steps) {
        this.steps = List.copyOf(steps);
    }

    /** @param world number of workers that made it */
    record Made(long pid, long nanos, int world, long step) {}

    /**
     * What a change of the world cost.
     *
     * @param paused seconds from the last step of the world before until the last worker's first step in the new one
     * @param lost steps that were done again
     * @param kept processes of the new world that were in the one before
     * @param last when the last step of the world before was completed
     * @param together when the last worker had completed its first step in the new one
     */
    record Change(double paused, long lost, int kept, long last, long together) {}

    static StepLog read(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Made> steps = new ArrayList<>();
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(SUFFIX)) {
                    long pid = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
                    String text = Files.readString(file);
                    // The last line may not be complete yet.
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> steps.add(made(pid, line)));
                }
            }
            return new StepLog(steps);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Made made(long pid, String line) {
        String[] words = line.split(" ", -1);
        return new Made(pid, Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
    }

    /** When each of so many workers had completed a step of their world, the first after {@code since}. */
    Optional<Long> together(long since, int world) {
        Map<Long, Made> firsts = firsts(since, world);
        return firsts.size() == world
                ? firsts.values().stream().map(Made::nanos).max(Long::compare)
                : Optional.empty();
    }

    /**
     * The change from a world to another; empty while not all workers of the other have completed a step.
     *
     * @param since a moment in the world before
     */
    Optional<Change> change(long since, int before, int after) {
        List<Made> old = steps.stream()
                .filter(made -> made.nanos > since && made.world == before)
                .toList();
        Optional<Long> last = old.stream().map(Made::nanos).max(Long::compare);
        if (last.isEmpty()) {
            return Optional.empty();
        }
        Map<Long, Made> firsts = firsts(last.get(), after);
        if (firsts.size() < after) {
            return Optional.empty();
        }
        Set<Long> kept = new HashSet<>(firsts.keySet());
        kept.retainAll(old.stream().map(Made::pid).toList());
        long together = firsts.values().stream().mapToLong(Made::nanos).max().orElseThrow();
        long done = old.stream().mapToLong(Made::step).max().orElseThrow();
        long first = firsts.values().stream().mapToLong(Made::step).min().orElseThrow();
        // A step can be committed, and gone on from, that no worker had the time to write down.
        long lost = Math.max(0, done + 1 - first);
        return Optional.of(new Change((together - last.get()) / NANOS, lost, kept.size(), last.get(), together));
    }

    /** By process. */
    private Map<Long, Made> firsts(long since, int world) {
        Map<Long, Made> firsts = new TreeMap<>();
        for (Made made : steps) {
            if (made.nanos > since && made.world == world) {
                firsts.merge(made.pid, made, (one, other) -> one.nanos <= other.nanos ? one : other);
            }
        }
        return firsts;
    }
}
