/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs that this process would find by their names. */
final class Executables {
    private Executables() {}

    static boolean isOnPath(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, name))) {
                return true;
            }
        }
        return false;
    }
}
