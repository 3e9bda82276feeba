/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Programs that are found by their names. */
public final class Executables {
    private Executables() {}

    /** Whether this process would find it. */
    static boolean isOnPath(String name) {
        return find(name, System.getenv().getOrDefault("PATH", "")).isPresent();
    }

    /** @param path as PATH has it; empty parts of it count for nothing */
    public static Optional<Path> find(String name, String path) {
        for (String directory : path.split(File.pathSeparator, -1)) {
            Path file = Path.of(directory, name).toAbsolutePath();
            if (!directory.isEmpty() && Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }
}
