/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same sources in another directory give the same bytes: a whole build, so only with {@code -Psoak}, and the build
 * that this test belongs to must be a clean one. Left out is what a JVM decides when it runs: which classes it loads, and
 * its archives of them.
 */
@Tag("soak")
@Timeout(3600)
final class ReproducibleIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static Path directory;
    private static Path elsewhere;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        directory = Product.directory("reproducible-");
        Path copy = copy(directory.resolve("elsewhere"));
        Process build = new ProcessBuilder("./mvnw", "-Pdist", "verify", "-DskipTests", "-DskipUTs", "-DskipITs")
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(build.waitFor()).as(output).isZero();
        elsewhere = copy.resolve("dist/target");
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @Test
    void repository() {
        assertSame(Repository.DIRECTORY, elsewhere.resolve("repository"));
    }

    @Test
    void billOfMaterials() {
        assertThat(there(Product.sbom())).hasSameBinaryContentAs(Product.sbom());
    }

    @Test
    void archive() throws Exception {
        assertSame(untar(Product.archive(), "archive-here"), untar(there(Product.archive()), "archive-there"));
    }

    @Test
    void archiveWithRuntime() throws Exception {
        Path archive = Product.archiveWithRuntime();

        assertSame(untar(archive, "runtime-here"), untar(there(archive), "runtime-there"));
    }

    @Test
    void debianPackage() throws Exception {
        assertSame(undeb(Product.debianPackage(), "deb-here"), undeb(there(Product.debianPackage()), "deb-there"));
    }

    @Test
    void image() throws Exception {
        OciImage here = OciImage.unpack(Product.image(), Files.createDirectory(directory.resolve("image-here")));
        OciImage there =
                OciImage.unpack(there(Product.image()), Files.createDirectory(directory.resolve("image-there")));

        assertThat(there.config()).isEqualTo(here.config());
        assertSame(here.root(), there.root());
    }

    /** The same product of the other build. */
    private static Path there(Path product) {
        return elsewhere.resolve(product.getFileName());
    }

    private static void assertSame(Path here, Path there) {
        List<String> files = files(here);
        assertThat(files(there)).isEqualTo(files).isNotEmpty();
        assertThat(files.stream().filter(file -> !isSame(here.resolve(file), there.resolve(file))))
                .isEmpty();
    }

    private static List<String> files(Path root) {
        return Product.files(root).stream()
                .filter(file -> !file.endsWith("lib/elastic-run.classes"))
                .filter(file -> !file.endsWith(".jsa") && !file.endsWith(".jsa.facts"))
                .toList();
    }

    private static boolean isSame(Path here, Path there) {
        try {
            return Files.mismatch(here, there) < 0
                    && Files.getPosixFilePermissions(here).equals(Files.getPosixFilePermissions(there));
        } catch (IOException e) {
            throw new IllegalStateException(here.toString(), e);
        }
    }

    private static Path untar(Path archive, String name) throws IOException, InterruptedException {
        Path target = Files.createDirectory(directory.resolve(name));
        Product.run("tar", "-xzpf", archive.toString(), "-C", target.toString());
        return target;
    }

    private static Path undeb(Path archive, String name) throws IOException, InterruptedException {
        Path target = Files.createDirectory(directory.resolve(name));
        Product.run("dpkg-deb", "-x", archive.toString(), target.toString());
        return target;
    }

    /** What git knows, as it is now, and git's own files, from which the build reads the commit. */
    private static Path copy(Path target) throws IOException, InterruptedException {
        Files.createDirectories(target);
        Product.run(
                "sh",
                "-c",
                "cd \"$1\" && cp -R .git \"$2\" && git ls-files -z | tar -c --null -T - | tar -x -C \"$2\"",
                "sh",
                ROOT.toString(),
                target.toString());
        return target;
    }
}
