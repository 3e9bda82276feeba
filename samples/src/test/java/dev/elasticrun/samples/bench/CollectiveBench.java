/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.samples.testing.Certificates;
import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * All-reduce of floats by processes of this host: ours over shared memory, TCP and both, as if on two nodes, beside
 * OpenMPI and gloo, as the distribution has them. They take turns, and of the repetitions each one's best times count:
 * what disturbs the machine hits all alike.
 */
final class CollectiveBench {
    private static final Path SCRIPTS = Project.ROOT.resolve("samples/src/test/bench");
    private static final long LIMIT_SECONDS = 180;

    private final Path work;
    /** By name, how to start it; the world comes last. */
    private final Map<String, Contender> contenders = new LinkedHashMap<>();

    private final List<String> notes = new ArrayList<>();

    /** Of a call, in us: in the best batch, in the mean of all, in the first one. */
    private record Times(double best, double mean, double first) {
        static Times parse(String[] words) {
            return new Times(Double.parseDouble(words[2]), Double.parseDouble(words[1]), Double.parseDouble(words[3]));
        }

        Times min(Times other) {
            return new Times(Math.min(best, other.best), Math.min(mean, other.mean), Math.min(first, other.first));
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, best < 100 ? "%.1f / %.1f / %.1f" : "%.0f / %.0f / %.0f", best, mean, first);
        }
    }

    private interface Contender {
        List<String> run(int world) throws IOException, InterruptedException;
    }

    /** @param isEncrypted beside ours with TLS, instead of beside others */
    private CollectiveBench(Path work, boolean isEncrypted) {
        this.work = work;
        contenders.put("ours, shared memory", world -> ours(world, "shm", 1, false));
        contenders.put("ours, TCP", world -> ours(world, "tcp", 1, false));
        if (isEncrypted) {
            // Workers of one node leave TLS out between each other.
            contenders.put("ours, TLS", world -> ours(world, "tcp", world, true));
        }
        contenders.put("ours, two nodes", world -> world > 2 ? ours(world, "auto", 2, false) : List.of());
        if (isEncrypted) {
            return;
        }
        fetch("openmpi", List.of("openmpi-bin", "libopenmpi-dev"), "orterun").ifPresent(bin -> {
            contenders.put("OpenMPI, shared memory", world -> script("openmpi", bin, world, "sm"));
            contenders.put("OpenMPI, TCP", world -> script("openmpi", bin, world, "tcp"));
        });
        fetch("torch", List.of("python3-torch"), "torchrun")
                .ifPresent(bin -> contenders.put("gloo", world -> script("gloo", bin, world)));
    }

    static String run(Path directory, List<Integer> worlds, int repeats, boolean isEncrypted) {
        try {
            CollectiveBench bench =
                    new CollectiveBench(Files.createDirectories(directory.resolve("collective")), isEncrypted);
            // Each as soon as it is there: with OpenMPI and gloo a world takes minutes.
            for (int world : worlds) {
                System.out.println(bench.table(world, repeats));
            }
            return "\n" + String.join("\n", bench.notes) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String table(int world, int repeats) {
        Map<String, Map<Integer, Times>> micros = new LinkedHashMap<>();
        for (int i = 0; i < repeats; i++) {
            contenders.forEach((name, contender) -> measure(name, contender, world)
                    .forEach((bytes, times) ->
                            micros.computeIfAbsent(name, key -> new TreeMap<>()).merge(bytes, times, Times::min)));
        }
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### All-reduce of floats, world " + world
                        + " on one host, us: best batch / mean / first batch, best of " + repeats,
                ""));
        lines.add("| bytes | " + String.join(" | ", micros.keySet()) + " |");
        lines.add("|---" + "|---".repeat(micros.size()) + "|");
        for (CollectiveSize size : CollectiveSize.values()) {
            StringBuilder line = new StringBuilder("| " + size.bytes());
            for (Map<Integer, Times> times : micros.values()) {
                line.append(" | ")
                        .append(Optional.ofNullable(times.get(size.bytes()))
                                .map(Times::toString)
                                .orElse("-"));
            }
            lines.add(line.append(" |").toString());
        }
        return String.join("\n", lines);
    }

    private Map<Integer, Times> measure(String name, Contender contender, int world) {
        Map<Integer, Times> times = new TreeMap<>();
        try {
            for (String line : contender.run(world)) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("check")) {
                    note("a look at the event channel, before each call: " + words[1] + " ns");
                } else if (words.length >= 4) {
                    times.put(Integer.valueOf(words[0]), Times.parse(words));
                    if (words.length > 4) {
                        note(name + ", world " + world + ", " + words[0] + " bytes: " + words[4]
                                + " bytes allocated per call");
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            note(name + ", world " + world + ": left out, " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return times;
    }

    /** Once for each repetition would be too much. */
    private void note(String text) {
        String start = text.substring(0, text.indexOf(':') + 1);
        notes.removeIf(note -> note.startsWith("- " + start));
        notes.add("- " + text);
    }

    private List<String> ours(int world, String transport, int nodes, boolean isEncrypted)
            throws IOException, InterruptedException {
        Path shared = Path.of("/dev/shm");
        Path directory = Files.createTempDirectory(Files.isWritable(shared) ? shared : work, "elastic-bench-");
        try {
            if (isEncrypted) {
                Certificates.make(directory, "tls", "nodes");
            }
            List<Process> others = new ArrayList<>();
            for (int rank = world - 1; rank > 0; rank--) {
                others.add(worker(directory, rank, world, transport, nodes)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start());
            }
            try {
                return output(worker(directory, 0, world, transport, nodes));
            } finally {
                for (Process other : others) {
                    if (!other.waitFor(10, TimeUnit.SECONDS)) {
                        other.destroyForcibly();
                    }
                }
            }
        } finally {
            Project.delete(directory);
        }
    }

    private static ProcessBuilder worker(Path directory, int rank, int world, String transport, int nodes) {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CollectiveBenchWorker.class.getName(),
                        directory.toString(),
                        Integer.toString(rank),
                        Integer.toString(world),
                        transport,
                        Integer.toString(nodes))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private List<String> script(String name, Path bin, int world, String... more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(SCRIPTS.resolve(name).toString(), bin.toString(), work.toString(), Integer.toString(world)));
        command.addAll(List.of(more));
        command.addAll(CollectiveSize.arguments());
        return output(new ProcessBuilder(command)
                .redirectError(work.resolve(name + ".log").toFile()));
    }

    private static List<String> output(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        try {
            List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                    .lines()
                    .toList();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(builder.command().get(0) + " ended with an error");
            }
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }

    private Optional<Path> fetch(String folder, List<String> packages, String program) {
        try {
            return Optional.of(FetchedPrograms.directory(folder, packages, List.of(program)));
        } catch (IllegalStateException e) {
            note(folder + ": left out, " + e.getMessage());
            return Optional.empty();
        }
    }
}
