/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.directory.RunDirectory;
import java.nio.file.Path;

/** Defaults that depend on where the agent runs. */
final class LaunchDefaults {
    private LaunchDefaults() {}

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    static Path logDir() {
        String temporary = System.getenv().getOrDefault("TMPDIR", "/tmp");
        return Path.of(temporary, "elastic-run-" + RunDirectory.uid());
    }
}
