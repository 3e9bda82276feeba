/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds programs as {@code execvp} does, to report what is wrong before a process exists. */
final class Programs {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private Programs() {}

    /** Returns the file that the name stands for. */
    static Path find(String name, Map<String, String> environment, Path workingDirectory) throws IOException {
        if (name.indexOf('/') >= 0) {
            Path file = workingDirectory.resolve(name);
            if (!Files.exists(file)) {
                throw new IOException("cannot run " + name + ": no such file (looked for " + file + ")");
            }
            if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
                throw new IOException("cannot run " + name + ": not an executable file");
            }
            return file;
        }
        String path = environment.getOrDefault("PATH", DEFAULT_PATH);
        Path notExecutable = null;
        for (String directory : path.split(":", -1)) {
            Path file = workingDirectory.resolve(directory).resolve(name);
            if (Files.isRegularFile(file)) {
                if (Files.isExecutable(file)) {
                    return file;
                }
                notExecutable = file;
            }
        }
        throw new IOException("cannot run " + name + ": " + explain(notExecutable, path));
    }

    private static String explain(@Nullable Path notExecutable, String path) {
        return notExecutable == null ? "not found in PATH=" + path : notExecutable + " is not executable";
    }
}
