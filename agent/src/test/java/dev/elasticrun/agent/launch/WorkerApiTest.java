/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerApiTest {
    private static final String API = "dev/elasticrun/worker/ElasticRuntime.class";
    /** As the constants of a class that calls the API name it. */
    private static final String REFERRING = "\1\0\46dev/elasticrun/worker/ElasticRuntime\7";

    @TempDir
    private Path directory;

    @Test
    void thinJar_workersGetTheApiOfThisVersion_lastInTheirClassPath() throws Exception {
        Path jar = jar("app.jar", "App.class", REFERRING);
        LaunchConfig config = config(jar).classPath("more.jar").unchecked();
        Path own = Path.of(WorkerInfo.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        assertThat(config.api().added()).contains(own);
        assertThat(config.api().isMissing()).isFalse();
        assertThat(config.policy().name()).isEqualTo("soft-elastic");
        assertThat(commandLine(config)).containsSequence("-cp", jar + ":more.jar:" + own, "com.example.App");
    }

    @Test
    void thinJar_packagesThatItsManifestOpens_areOpen() throws IOException {
        LaunchConfig config = config(jar("app.jar", "App.class", REFERRING)).unchecked();

        assertThat(commandLine(config))
                .contains(
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-exports=java.base/sun.security.x509=ALL-UNNAMED");
    }

    @Test
    void jarWithItsOwnApi_keepsIt() throws IOException {
        Path jar = jar("app.jar", API, REFERRING);
        LaunchConfig config = config(jar).unchecked();

        assertThat(config.api().added()).isEmpty();
        assertThat(config.api().place()).contains(jar);
        assertThat(commandLine(config)).containsSequence("-jar", jar.toString());
    }

    @Test
    void apiInTheGivenClassPath_wins() throws IOException {
        Path api = jar("api.jar", API, REFERRING);
        LaunchConfig config = config(jar("app.jar", "App.class", REFERRING))
                .classPath(api.toString())
                .unchecked();

        assertThat(config.api().added()).isEmpty();
    }

    @Test
    void jarThatDoesNotReferToTheApi_isStartedAsItIs() throws IOException {
        Path jar = jar("app.jar", "App.class", "nothing");
        LaunchConfig config = config(jar).unchecked();

        assertThat(config.api()).isEqualTo(WorkerApi.NONE);
        assertThat(config.policy().name()).isEqualTo("hard");
        assertThat(commandLine(config)).containsSequence("-jar", jar.toString());
    }

    @Test
    void libraryThatTheManifestNames_refersToTheApi_itIsAdded() throws IOException {
        jar("library.jar", "Library.class", REFERRING);
        LaunchConfig config = config(jar("app.jar", "App.class", "nothing")).unchecked();

        assertThat(config.api().added()).isPresent();
        assertThat(config.api().place()).contains(directory.resolve("library.jar"));
    }

    @Test
    void moreClassesThanAreRead_theApiIsAdded_andThePolicyIsThatOfAProgramWithoutIt() throws IOException {
        Path jar = directory.resolve("large.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest())) {
            for (int number = 0; number < 2000; number++) {
                add(out, "C" + number + ".class", "nothing");
            }
            add(out, "Last.class", REFERRING);
        }
        LaunchConfig config = config(jar).unchecked();

        assertThat(config.api().added()).isPresent();
        assertThat(config.api().place()).isEmpty();
        assertThat(config.policy().name()).isEqualTo("hard");
    }

    @Test
    void otherPrograms_haveNone() {
        assertThat(LaunchConfig.builder("train.py").unchecked().api()).isEqualTo(WorkerApi.NONE);
        assertThat(LaunchConfig.builder(directory.resolve("no.jar").toString())
                        .unchecked()
                        .api())
                .isEqualTo(WorkerApi.NONE);
    }

    private LaunchConfigBuilder config(Path jar) {
        return LaunchConfig.builder(jar.toString()).logDir(directory);
    }

    private List<String> commandLine(LaunchConfig config) {
        return WorkerProgram.commandLine(config, directory, List.of(), 0);
    }

    private Path jar(String name, String entry, String content) throws IOException {
        Path file = directory.resolve(name);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest())) {
            add(jar, entry, content);
        }
        return file;
    }

    private static Manifest manifest() {
        Manifest manifest = new Manifest();
        Attributes lines = manifest.getMainAttributes();
        lines.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        lines.put(Attributes.Name.MAIN_CLASS, "com.example.App");
        lines.put(Attributes.Name.CLASS_PATH, "library.jar");
        lines.putValue("Add-Opens", "java.base/java.nio java.base/sun.nio.ch");
        lines.putValue("Add-Exports", "java.base/sun.security.x509");
        return manifest;
    }

    private static void add(JarOutputStream jar, String name, String content) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(content.getBytes(StandardCharsets.ISO_8859_1));
        jar.closeEntry();
    }
}
