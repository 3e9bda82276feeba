/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.ScriptedDeaths;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where the built parts are, found from the root of the project and from a module. */
public final class Project {
    public static final Path ROOT = root();
    public static final Path LAUNCHER = ROOT.resolve("launcher-cli/bin/elastic-run");
    /** Of programs among the tests: their classes, and what they use of elastic-run-testing. */
    public static final String TEST_CLASS_PATH =
            ROOT.resolve("samples/target/test-classes") + File.pathSeparator + ScriptedDeaths.classPath();

    /** The samples, from the root. */
    public static final Path PROGRAM = Path.of("samples/target/elastic-samples.jar");

    private Project() {}

    /** The training sample with this many steps. */
    public static List<String> training(long steps, int stepMillis, String... more) {
        List<String> program = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "train",
                "--data",
                "samples/data/breast-cancer.csv",
                "--steps",
                Long.toString(steps),
                "--step-millis",
                Integer.toString(stepMillis)));
        program.addAll(List.of(more));
        return program;
    }

    /** The XGBoost sample with this many rounds; every fifth row is held out. */
    public static List<String> boosting(int rounds, int roundMillis, String... more) {
        List<String> program = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "xgboost-train",
                "--data",
                "samples/data/breast-cancer.libsvm",
                "--hold-out",
                "5",
                "--rounds",
                Integer.toString(rounds),
                "--round-millis",
                Integer.toString(roundMillis)));
        program.addAll(List.of(more));
        return program;
    }

    /** The same program for a process with another working directory. */
    public static List<String> absolute(List<String> program) {
        return program.stream()
                .map(word -> word.startsWith("samples/") ? ROOT.resolve(word).toString() : word)
                .toList();
    }

    public static void requireBuilt() {
        for (Path part : List.of(LAUNCHER, ROOT.resolve(PROGRAM))) {
            if (!Files.exists(part)) {
                throw new IllegalStateException(
                        part + ": missing (expected: the built project, ./mvnw -DskipTests package)");
            }
        }
    }

    public static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path path = start; path != null; path = path.getParent()) {
            if (Files.isDirectory(path.resolve("launcher-cli")) && Files.exists(path.resolve("mvnw"))) {
                return path;
            }
        }
        throw new IllegalStateException(start + ": not in the project (expected: a directory below its root)");
    }
}
