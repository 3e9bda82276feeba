/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.tune.store.TrialOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialLaunchTest {
    @TempDir
    private Path directory;

    private Path jar;

    @BeforeEach
    void makeJar() throws IOException {
        jar = directory.resolve("p.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Program");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private TrialOrder order(int trial, String program, String policy) {
        return new TrialOrder(
                "s",
                trial,
                "run-" + trial,
                program,
                List.of("--trial", Integer.toString(trial)),
                Map.of("restart-policy", List.of(policy)),
                "{\"x\":" + trial + "}",
                true);
    }

    private LaunchConfig launch(TrialOrder order) {
        LaunchConfig defaults = LaunchConfig.builder(order.program())
                .logDir(directory.resolve("logs"))
                .rdzvEndpoints(List.of("127.0.0.1:1"))
                .unchecked();
        return TrialLaunch.of(order, defaults);
    }

    private String key(TrialOrder order) {
        return TrialLaunch.reuseKey(order, launch(order));
    }

    @Test
    void trialsOfOneProgram_shareProcesses_untilItIsBuiltAnew() throws IOException {
        String key = key(order(1, jar.toString(), "soft"));

        assertThat(key(order(2, jar.toString(), "soft"))).isEqualTo(key);
        assertThat(key(order(2, jar.toString(), "hard"))).isNotEqualTo(key);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        assertThat(key(order(2, jar.toString(), "soft"))).isNotEqualTo(key);
    }

    @Test
    void programThatIsNoJar_cannotBeReused() {
        assertThatExceptionOfType(LaunchConfigException.class)
                .isThrownBy(() -> launch(order(1, "/bin/sh", "hard")))
                .withMessage("reuse: true, of /bin/sh (expected: a jar, or reuse: false)");
    }
}
