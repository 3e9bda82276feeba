/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The distribution's PyTorch, with gloo: what is installed, else fetched once. Needs a Python interpreter on the PATH. */
public final class Torch {
    private static final String PACKAGE = "python3-torch";
    private static final String LAUNCHER = "torchrun";
    private static final Path MODULES = Path.of("usr", "lib", "python3", "dist-packages");

    private final Path programs;
    private final Map<String, String> environment;

    private Torch(Path programs, Map<String, String> environment) {
        this.programs = programs;
        this.environment = environment;
    }

    /** Blocks while it is fetched, which are 150 MB. */
    public static Torch find() {
        Path programs = FetchedPrograms.directory("torch", List.of(PACKAGE), List.of(LAUNCHER));
        Path root = programs.resolveSibling("root");
        if (!Files.isDirectory(root.resolve(MODULES))) {
            return new Torch(programs, Map.of());
        }
        return new Torch(
                programs, Map.of("PYTHONPATH", root.resolve(MODULES).toString(), "LD_LIBRARY_PATH", libraries(root)));
    }

    /** The launcher that comes with it. */
    public Path launcher() {
        return programs.resolve(LAUNCHER);
    }

    /** Variables by which an interpreter finds it. */
    public Map<String, String> environment() {
        return environment;
    }

    private static String libraries(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> String.valueOf(file.getFileName()).contains(".so"))
                    .map(file -> String.valueOf(file.getParent()))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(":"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
