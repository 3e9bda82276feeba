/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command as it was before this version, built from the history of the repository into a directory below {@code target}. */
final class FormerVersion {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private FormerVersion() {}

    /**
     * The command, built by the first call; later builds of this module use it again.
     *
     * @param version of this build, whose first commit is the one behind that which is built
     */
    static Path command(String version) throws IOException, InterruptedException {
        String commit = lastBefore(version);
        Path sources = Path.of("target", "former-" + commit).toAbsolutePath();
        Path command = sources.resolve("launcher-cli/bin/elastic-run");
        if (!Files.exists(sources.resolve("launcher-cli/target/elastic-run.jar"))) {
            Files.createDirectories(sources);
            Product.run("sh", "-c", "git -C '" + ROOT + "' archive " + commit + " | tar -x -C '" + sources + "'");
            Product.run(
                    sources.resolve("mvnw").toString(),
                    "-q",
                    "-f",
                    sources.resolve("pom.xml").toString(),
                    "package",
                    "-pl",
                    "launcher-cli",
                    "-am",
                    "-DskipTests",
                    "-Pagain");
        }
        return command;
    }

    private static String lastBefore(String version) throws IOException, InterruptedException {
        List<String> commits = git("log", "--format=%H", "-S<version>" + version + "</version>", "--", "pom.xml");
        assertThat(commits)
                .as("commits that set version %s (expected: a clone with its history)", version)
                .isNotEmpty();
        return git("rev-parse", commits.get(commits.size() - 1) + "^").get(0);
    }

    private static List<String> git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", ROOT.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
        return output.lines().filter(line -> !line.isBlank()).toList();
    }
}
