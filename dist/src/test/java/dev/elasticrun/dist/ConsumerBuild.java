/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** {@code samples/consumer}, copied to where no other project is, and built there against the published directory. */
record ConsumerBuild(Path home) {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static ConsumerBuild in(Path directory) throws IOException, InterruptedException {
        Path home = directory.resolve("consumer");
        Product.run("cp", "-R", ROOT.resolve("samples/consumer").toString(), home.toString());
        ConsumerBuild build = new ConsumerBuild(home);
        build.run();
        return build;
    }

    /** Where the build found or put artifacts that the usual local repository does not have: ours, above all. */
    Path downloads() {
        return home.resolve("repository");
    }

    Path worker() {
        return home.resolve("worker/target/worker.jar");
    }

    Path policy() {
        return home.resolve("policy/target/policy.jar");
    }

    Path launch() {
        return home.resolve("launch/target/launch.jar");
    }

    private void run() throws IOException, InterruptedException {
        Process build = new ProcessBuilder(Stream.concat(
                                Stream.of(ROOT.resolve("mvnw").toString(), "-B", "-ntp", "package"),
                                settings().stream())
                        .toList())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(build.waitFor()).as(output).isZero();
    }

    private List<String> settings() {
        return List.of(
                "-Delasticrun.version=" + Product.VERSION,
                "-Delasticrun.repository=" + Repository.DIRECTORY.toUri(),
                "-Dmaven.repo.local=" + downloads(),
                // What others have published need not be fetched again, from whatever mirror it was.
                "-Dmaven.repo.local.tail=" + System.getProperty("local.repository"),
                "-Dmaven.repo.local.tail.ignoreAvailability=true");
    }
}
