/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.command.Commands;
import dev.elasticrun.rendezvous.store.MachinePart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The package, unpacked into a root of its own. */
@Timeout(180)
final class PackageIT {
    private static Path directory;
    private static Path root;
    private static Path own;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        directory = Product.directory("package-");
        own = UserProcess.directory(directory, "own");
        root = directory.resolve("root");
        MachinePart.require("dpkg-deb on the PATH", () -> output("dpkg-deb", "--version"));
        Product.run("dpkg-deb", "-x", Product.debianPackage().toString(), root.toString());
        Product.run("chmod", "-R", "a-w", root.toString());
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @Test
    void workerOfTheSampleKilled_runGoesOnToItsEnd() throws Exception {
        Installation installed =
                new Installation(root.resolve("usr"), root.resolve("usr/share/doc/elastic-run/samples"));
        try (UserProcess training =
                UserProcess.start(own, environment(), installed.training(own.resolve("logs"), TrainingRun.STEPS))) {
            TrainingRun.assertSurvivesAKill(training);
        }
    }

    @Test
    void control_namesTheJavaThatIsNeeded() throws Exception {
        assertThat(output("dpkg-deb", "--field", Product.debianPackage().toString()))
                .contains("Package: elastic-run\n", "Architecture: all\n")
                .containsPattern("Depends: default-jre-headless .*\\| java17-runtime-headless");
    }

    @Test
    void files_belongToRoot_andAreWhereTheSystemLooksForThem() throws Exception {
        String contents =
                output("dpkg-deb", "--contents", Product.debianPackage().toString());

        assertThat(contents.lines()).allMatch(line -> line.matches("\\S+ (root/root|0/0) .*"));
        assertThat(contents)
                .contains(
                        "./usr/bin/elastic-run -> ../share/elastic-run/bin/elastic-run",
                        "./usr/share/bash-completion/completions/elastic-run",
                        "./usr/share/zsh/vendor-completions/_elastic-run",
                        "./usr/share/fish/vendor_completions.d/elastic-run.fish",
                        "./usr/share/doc/elastic-run/copyright",
                        "./usr/share/man/man1/elastic-run.1.gz");
        Commands.names()
                .forEach(name -> assertThat(contents).contains("./usr/share/man/man1/elastic-run-" + name + ".1.gz"));
    }

    @Test
    void lintian_hasNoErrorsAndWarnings() throws Exception {
        List<String> command = Lintian.command(Product.debianPackage());
        try (UserProcess lintian = UserProcess.of(directory, command)) {
            assertThat(lintian.exitCode()).as(lintian.out() + lintian.err()).isZero();
        }
    }

    private static Map<String, String> environment() {
        return Map.of(
                "PATH",
                System.getenv("PATH"),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "XDG_CACHE_HOME",
                own.resolve("cache").toString());
    }

    private static String output(String... command) throws Exception {
        try (UserProcess process = UserProcess.of(directory, List.of(command))) {
            assertThat(process.exitCode()).as(process.err()).isZero();
            return process.out();
        }
    }
}
