/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.launch.LogDirectories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Looks at a directory of logs without making it. */
final class LogProbe {
    private LogProbe() {}

    /** What an agent would expect of it; empty = it is, or could be made, as it should be. */
    static Optional<String> expectation(Path directory) {
        if (Files.exists(directory)) {
            return LogDirectories.expectation(directory);
        }
        Path above = directory.toAbsolutePath().getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        boolean canBeMade = above != null && Files.isDirectory(above) && Files.isWritable(above);
        return canBeMade
                ? Optional.empty()
                : Optional.of("a directory that can be written, or made in " + above + ", which cannot be written");
    }
}
