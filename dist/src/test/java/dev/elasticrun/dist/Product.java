/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** Files that the build made, and how they are unpacked. */
final class Product {
    static final String VERSION = System.getProperty("dist.version", "");

    static final Path BUILT = Path.of("target").toAbsolutePath();

    private Product() {}

    /** For any machine with a Java. */
    static Path archive() {
        return BUILT.resolve("elastic-run-" + VERSION + "-linux.tar.gz");
    }

    /** For machines as this one, with a Java of its own. */
    static Path archiveWithRuntime() {
        return BUILT.resolve("elastic-run-" + VERSION + "-linux-" + System.getProperty("os.arch") + ".tar.gz");
    }

    static Path debianPackage() {
        return BUILT.resolve("elastic-run_" + VERSION + "_all.deb");
    }

    /** With an index and layers, for machines as this one. */
    static Path image() {
        return BUILT.resolve("elastic-run-" + VERSION + "-image-" + System.getProperty("os.arch") + ".tar");
    }

    /** What is in archives, package and image. */
    static Path sbom() {
        return BUILT.resolve("elastic-run-" + VERSION + ".cdx.json");
    }

    /**
     * Unpacks an archive below a directory.
     *
     * @return the installation, which nobody can write to
     */
    static Installation unpack(Path archive, Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        run("tar", "-xzf", archive.toString(), "-C", directory.toString());
        Path home = directory.resolve("elastic-run-" + VERSION);
        run("chmod", "-R", "a-w", home.toString());
        return new Installation(home, home.resolve("samples"));
    }

    /** A temporary directory that all users can enter. */
    static Path directory(String prefix) throws IOException {
        Path directory = Files.createTempDirectory(prefix);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }

    /** Removes what is read-only, too. */
    static void delete(Path directory) throws IOException, InterruptedException {
        run("chmod", "-R", "u+w", directory.toString());
        run("rm", "-rf", directory.toString());
    }

    /** Runs a command that must succeed. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isZero();
    }

    /** Relative paths of all files below a directory. */
    static List<String> files(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
