/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A place where an agent could have its run directory, looked at and not changed.
 *
 * @param freeBytes that this user can still write there; 0 = not known
 * @param objection why an agent would go on to the next place; empty = it would take this one
 */
public record RunDirectoryPlace(Path base, long freeBytes, Optional<String> objection) {

    /** In the order in which an agent tries them. The first is in memory. */
    public static List<RunDirectoryPlace> ofAgents(int workers) {
        return RunDirectoryBase.candidates().stream()
                .map(base -> of(base, RunDirectory.leastSpace(workers)))
                .toList();
    }

    static RunDirectoryPlace of(Path base, long leastSpace) {
        long free = 0;
        try {
            free = Files.getFileStore(base).getUsableSpace();
            RunDirectoryBase.check(base, leastSpace);
            return new RunDirectoryPlace(base, free, objection(RunDirectoryBase.nameIn(base)));
        } catch (NoSuchFileException e) {
            return new RunDirectoryPlace(base, free, Optional.of("it does not exist"));
        } catch (IOException e) {
            return new RunDirectoryPlace(base, free, Optional.of(String.valueOf(e.getMessage())));
        }
    }

    private static Optional<String> objection(Path owned) throws IOException {
        try {
            return OwnDirectory.objection(owned).map(why -> owned + " " + why);
        } catch (NoSuchFileException toBeMade) {
            return Optional.empty();
        }
    }
}
