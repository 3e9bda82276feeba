/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node directories of agents that died together with their guard, for example in a crash of the machine's container.
 */
final class StaleRunDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(StaleRunDirectories.class);

    private StaleRunDirectories() {}

    /** Removes every unlocked node directory. What cannot be removed is logged and stays. */
    static void remove(Path owned) throws IOException {
        for (Path directory : NodeDirectories.in(owned)) {
            try (DirectoryLock lock = DirectoryLock.tryAcquire(directory)) {
                if (lock != null) {
                    PrivateFiles.deleteTree(directory);
                    LOG.info("removed {}: its agent is dead", directory);
                }
            } catch (IOException e) {
                LOG.warn("cannot remove {} of a dead agent", directory, e);
            }
            if (!Files.exists(directory)) {
                removeIfEmpty(directory.resolveSibling(".").normalize());
            }
        }
    }

    /** Removes the directories of the incarnation and the user unless other agents are in them. */
    static void removeEmptyParents(Path nodeDirectory) throws IOException {
        Path incarnation = nodeDirectory.resolve("..").normalize();
        removeIfEmpty(incarnation);
        removeIfEmpty(incarnation.resolve("..").normalize());
    }

    private static void removeIfEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException inUse) {
            // Other agents of the user live here.
        }
    }
}
