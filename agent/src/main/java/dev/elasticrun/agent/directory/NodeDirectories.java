/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Directories of agents, whether they live or not. Logs nothing: commands look here, and loggers take long to load. */
final class NodeDirectories {
    private NodeDirectories() {}

    /** All {@code <incarnation>/<nodeId>} that have a lock file, in the order of their names. */
    static List<Path> in(Path owned) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path incarnation : directoriesIn(owned)) {
            for (Path node : directoriesIn(incarnation)) {
                if (Files.isRegularFile(node.resolve("lock"), LinkOption.NOFOLLOW_LINKS)) {
                    found.add(node);
                }
            }
        }
        return found;
    }

    private static List<Path> directoriesIn(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException | NotDirectoryException gone) {
            return List.of();
        }
    }
}
