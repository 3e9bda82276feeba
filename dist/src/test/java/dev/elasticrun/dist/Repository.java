/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The directory of Maven artifacts that the build published. */
final class Repository {
    static final Path DIRECTORY = Path.of("target/repository").toAbsolutePath();
    static final String BOM = "elastic-run-bom";

    /** Those with an API for users: its documentation has an overview and examples. */
    static final List<String> APIS = List.of(
            "elastic-run-agent",
            "elastic-run-rendezvous",
            "elastic-run-scheduler-api",
            "elastic-run-testing",
            "elastic-run-worker-api",
            "elastic-run-worker-xgboost");

    private static final Path GROUP = DIRECTORY.resolve("dev/elasticrun");

    private Repository() {}

    /** Artifact ids, the BOM's too. */
    static List<String> artifacts() {
        try (Stream<Path> directories = Files.list(GROUP)) {
            return directories
                    .map(directory -> directory.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those with a jar. */
    static List<String> libraries() {
        return artifacts().stream().filter(name -> !name.equals(BOM)).toList();
    }

    static Path directory(String artifact) {
        return GROUP.resolve(artifact).resolve(Product.VERSION);
    }

    /** @param ending {@code .jar}, {@code -sources.jar} and the like */
    static Path file(String artifact, String ending) {
        return directory(artifact).resolve(artifact + "-" + Product.VERSION + ending);
    }

    /** The text of an entry of a jar; empty if it has none of that name. */
    static String text(Path jar, String entry) {
        try (JarFile file = new JarFile(jar.toFile())) {
            if (file.getEntry(entry) == null) {
                return "";
            }
            try (InputStream in = file.getInputStream(file.getEntry(entry))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(jar.toString(), e);
        }
    }
}
