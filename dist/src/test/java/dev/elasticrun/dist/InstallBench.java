/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sizes of what is installed, how long each takes from the command to the program of the first worker, and the memory of
 * its agent; beside the build tree, by turns. Prints a table, and fails only if something does not start. By its name only:
 * {@code ./mvnw verify -Pdist -pl dist -am -DskipUTs -Dit.test=InstallBench -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
@Timeout(900)
final class InstallBench {
    private static final int STARTS = Integer.getInteger("bench.starts", 10);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Until the agent's memory is looked at, after its worker has started. */
    private static final Duration SETTLING = Duration.ofMillis(600);

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Installation BUILD_TREE =
            new Installation(ROOT.resolve("launcher-cli"), ROOT.resolve("samples/target"));

    /** Starts an agent whose worker makes a file of that name. */
    private interface Start {
        Started of(String file) throws IOException;
    }

    /** @param hasWorked whether the worker has made its file */
    private record Started(UserProcess process, Supplier<ProcessHandle> agent, BooleanSupplier hasWorked) {}

    /**
     * @param packed bytes, 0 = it is no file
     * @param unpacked bytes, 0 = not counted
     */
    private record Kind(long packed, long unpacked, Start start) {}

    /** @param proportionalMib each shared page divided by the number of processes that have it */
    private record Measured(double millis, double residentMib, double proportionalMib) {}

    @Test
    void installations_besideTheBuildTree() throws Exception {
        UserProcess.requireRoot("containers, and a user for each installation");
        Path directory = Product.directory("install-bench-");
        try {
            Map<String, Kind> kinds = kinds(directory);
            Map<String, List<Measured>> measured = new LinkedHashMap<>();
            for (Kind kind : kinds.values()) {
                warmUp(kind);
            }
            for (int i = 0; i < STARTS; i++) {
                for (Map.Entry<String, Kind> kind : kinds.entrySet()) {
                    measured.computeIfAbsent(kind.getKey(), name -> new ArrayList<>())
                            .add(measure(kind.getValue(), "made-" + i));
                }
            }
            print(kinds, measured);
        } finally {
            Product.delete(directory);
        }
    }

    private static Map<String, Kind> kinds(Path directory) throws IOException, InterruptedException {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("build tree", new Kind(0, 0, asUser(directory, "tree", BUILD_TREE, true)));
        Installation archive = Product.unpack(Product.archive(), directory.resolve("archive"));
        kinds.put("archive", kind(Product.archive(), archive.home(), asUser(directory, "plain", archive, true)));
        Installation whole = Product.unpack(Product.archiveWithRuntime(), directory.resolve("whole"));
        kinds.put(
                "archive with a Java",
                kind(Product.archiveWithRuntime(), whole.home(), asUser(directory, "own", whole, false)));
        Path root = directory.resolve("root");
        Product.run("dpkg-deb", "-x", Product.debianPackage().toString(), root.toString());
        Installation installed =
                new Installation(root.resolve("usr"), root.resolve("usr/share/doc/elastic-run/samples"));
        kinds.put("package", kind(Product.debianPackage(), root, asUser(directory, "deb", installed, true)));
        Path unpacked = Files.createDirectory(directory.resolve("image"));
        OciImage image = OciImage.unpack(Product.image(), unpacked);
        kinds.put("image", kind(Product.image(), image.root(), inContainer(image, unpacked)));
        return kinds;
    }

    private static Kind kind(Path file, Path root, Start start) throws IOException {
        long unpacked = Product.files(root).stream()
                .map(root::resolve)
                .filter(each -> !Files.isSymbolicLink(each))
                .mapToLong(each -> each.toFile().length())
                .sum();
        return new Kind(Files.size(file), unpacked, start);
    }

    private static Start asUser(Path directory, String name, Installation installation, boolean withJava)
            throws IOException, InterruptedException {
        Path own = UserProcess.directory(directory, "user-" + name);
        Map<String, String> environment = new LinkedHashMap<>(Map.of(
                "PATH",
                System.getenv("PATH"),
                "XDG_CACHE_HOME",
                own.resolve("cache").toString()));
        if (withJava) {
            environment.put("JAVA_HOME", System.getProperty("java.home"));
        }
        return file -> {
            Path made = own.resolve(file);
            List<String> arguments = arguments(own.resolve("logs"), made);
            List<String> command = installation.command(arguments.toArray(String[]::new));
            UserProcess process = UserProcess.start(own, environment, command);
            return new Started(process, process::handle, () -> Files.exists(made));
        };
    }

    private static Start inContainer(OciImage image, Path directory) {
        return file -> {
            Path made = Path.of("/tmp", file);
            ImageContainer container = ImageContainer.start(image, directory, arguments(Path.of("/tmp/logs"), made));
            return new Started(container.process(), container::first, () -> container.has(made));
        };
    }

    private static List<String> arguments(Path logs, Path made) {
        return List.of("--standalone", "--log-dir", logs.toString(), "sh", "-c", ": >'" + made + "'; exec sleep 600");
    }

    /** Until the archive of class data that a first start has made is there. */
    private static void warmUp(Kind kind) throws IOException, InterruptedException {
        measure(kind, "made-first");
        Patience.until(
                "no process of low priority that archives classes",
                LIMIT,
                () -> ProcessHandle.allProcesses().noneMatch(process -> process.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch("-Xshare:dump"::equals)),
                () -> "it is still there");
        measure(kind, "made-second");
    }

    private static Measured measure(Kind kind, String file) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Started started = kind.start().of(file);
        try (UserProcess process = started.process()) {
            while (!started.hasWorked().getAsBoolean()) {
                if (!process.handle().isAlive() || System.nanoTime() - start > LIMIT.toNanos()) {
                    throw new IllegalStateException("no worker: " + process.out() + process.err());
                }
                Patience.pause(Duration.ofMillis(1));
            }
            double millis = (System.nanoTime() - start) / 1e6;
            Patience.pause(SETTLING);
            String agent = Long.toString(started.agent().get().pid());
            Path memory = Path.of("/proc", agent, "smaps_rollup");
            Measured measured = new Measured(millis, mebibytes(memory, "Rss"), mebibytes(memory, "Pss"));
            Product.run("kill", "-TERM", agent);
            process.exitCode();
            return measured;
        }
    }

    private static double mebibytes(Path memory, String name) {
        try {
            return Files.readAllLines(memory).stream()
                    .filter(line -> line.startsWith(name + ":"))
                    .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(Map<String, Kind> kinds, Map<String, List<Measured>> measured) {
        StringBuilder table = new StringBuilder("\n### Installations, " + STARTS + " starts each by turns\n\n")
                .append("| | size | unpacked | first worker | resident memory |\n|---|---|---|---|---|\n");
        kinds.forEach((name, kind) -> {
            List<Measured> starts = measured.getOrDefault(name, List.of());
            double[] millis =
                    starts.stream().mapToDouble(Measured::millis).sorted().toArray();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %.0f ms (%.0f, %.0f) | %.0f, %.0f MiB |%n",
                    name,
                    megabytes(kind.packed()),
                    megabytes(kind.unpacked()),
                    median(millis),
                    millis[0],
                    millis[millis.length - 1],
                    median(starts.stream()
                            .mapToDouble(Measured::residentMib)
                            .sorted()
                            .toArray()),
                    median(starts.stream()
                            .mapToDouble(Measured::proportionalMib)
                            .sorted()
                            .toArray())));
        });
        System.out.println(table);
    }

    private static String megabytes(long bytes) {
        return bytes == 0 ? "-" : Math.round(bytes / 1e6) + " MB";
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
