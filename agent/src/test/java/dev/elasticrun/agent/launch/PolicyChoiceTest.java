/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PolicyChoiceTest {
    private static final String API = "dev/elasticrun/worker/ElasticRuntime.class";

    @TempDir
    private Path directory;

    @Test
    void jarWithTheApi_isSoftElastic() throws IOException {
        Path jar = jar("app.jar", "", "App.class", API);

        PolicyChoice choice = choice(LaunchConfig.builder(jar.toString()));

        assertThat(choice.name()).isEqualTo("soft-elastic");
        assertThat(choice.reason()).contains(jar.toString());
        assertThat(choice.text()).contains("--restart-policy hard");
    }

    @Test
    void jarWithoutTheApi_isHard() throws IOException {
        Path jar = jar("app.jar", "", "App.class", "dev/elasticrun/worker/Other.class");

        PolicyChoice choice = choice(LaunchConfig.builder(jar.toString()));

        assertThat(choice.name()).isEqualTo("hard");
        assertThat(choice.isDefault()).isTrue();
    }

    @Test
    void apiInAJarWithinTheJar_isFound() throws IOException {
        Path jar = jar("app.jar", "", "BOOT-INF/lib/elastic-run-worker-api-0.1.0.jar");

        assertThat(choice(LaunchConfig.builder(jar.toString())).name()).isEqualTo("soft-elastic");
    }

    @Test
    void apiInWhatManifestsName_isFound_alsoWhenTheyNameEachOther() throws IOException {
        Files.createDirectory(directory.resolve("lib dir"));
        jar("lib dir/api.jar", "", API);
        jar("middle.jar", "app.jar http://nowhere.invalid/x.jar lib%20dir/api.jar");
        Path jar = jar("app.jar", "missing.jar middle.jar");

        PolicyChoice choice = choice(LaunchConfig.builder(jar.toString()));

        assertThat(choice.name()).isEqualTo("soft-elastic");
        assertThat(choice.reason()).contains("api.jar");
    }

    @Test
    void apiInTheClassPath_asJarDirectoryOrWildcard_isFound() throws IOException {
        String app = jar("app.jar", "").toString();
        Path lib = Files.createDirectory(directory.resolve("lib"));
        Path api = jar("lib/api.jar", "", API);
        Path classes = directory.resolve("classes");
        Files.createDirectories(classes.resolve(API).getParent());
        Files.createFile(classes.resolve(API));

        for (String place : new String[] {api.toString(), classes.toString(), lib + "/*"}) {
            assertThat(choice(LaunchConfig.builder(app).classPath("nothing:" + place))
                            .name())
                    .as(place)
                    .isEqualTo("soft-elastic");
        }
        assertThat(choice(LaunchConfig.builder(app).classPath("nothing:" + lib)).name())
                .isEqualTo("hard");
    }

    @Test
    void severalNodes_isHard() throws IOException {
        String jar = jar("app.jar", "", API).toString();

        assertThat(choice(LaunchConfig.builder(jar).nnodes(1, 2)).name()).isEqualTo("hard");
        assertThat(choice(LaunchConfig.builder(jar).standalone(true)).name()).isEqualTo("soft-elastic");
    }

    @Test
    void noJarOrOneThatCannotBeRead_isHard() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.jar"), API);

        assertThat(choice(LaunchConfig.builder("train.py")).name()).isEqualTo("hard");
        assertThat(choice(LaunchConfig.builder(broken.toString())).name()).isEqualTo("hard");
        assertThat(choice(LaunchConfig.builder(directory.resolve("no.jar").toString()))
                        .name())
                .isEqualTo("hard");
    }

    @Test
    void given_isKept_andIsNoDefault() throws IOException {
        String jar = jar("app.jar", "", API).toString();

        PolicyChoice choice = choice(LaunchConfig.builder(jar).restartPolicy("soft"));

        assertThat(choice).isEqualTo(new PolicyChoice("soft", ""));
        assertThat(choice.isDefault()).isFalse();
    }

    @Test
    void toBuilder_default_isChosenAnew() throws IOException {
        String jar = jar("app.jar", "", API).toString();
        LaunchConfig one = LaunchConfig.builder(jar).unchecked();

        assertThat(choice(one.toBuilder().nnodes(1, 2)).name()).isEqualTo("hard");
    }

    private static PolicyChoice choice(LaunchConfigBuilder builder) {
        LaunchConfig config = builder.unchecked();
        assertThat(config.restarts().policy()).isEqualTo(config.policy().name());
        return config.policy();
    }

    private Path jar(String name, String classPath, String... entries) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!classPath.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        }
        Path file = directory.resolve(name);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (String entry : entries) {
                jar.putNextEntry(new ZipEntry(entry));
                jar.closeEntry();
            }
        }
        return file;
    }
}
