/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/** A thread and a directory of a rehearsal, whose failure costs the rehearsal and nothing else. */
final class RehearsalStage {

    /** What the ranks do. */
    @FunctionalInterface
    interface Play {
        /** @param stage a directory for the memory that they share, and for files */
        void on(Path stage) throws IOException, InterruptedException;
    }

    private RehearsalStage() {}

    /**
     * Plays in a thread and in a directory of its own, which ends with the play.
     *
     * @param parent of the directory
     * @return the thread, which ends last
     */
    static Thread start(String name, System.Logger logger, Path parent, Play play) {
        Thread thread = background(name, logger, () -> stage(logger, parent, play));
        thread.start();
        return thread;
    }

    private static void stage(System.Logger logger, Path parent, Play play) {
        try {
            Path stage = Files.createTempDirectory(parent, "rehearsal-");
            try {
                play.on(stage);
            } finally {
                Directories.delete(stage);
            }
        } catch (IOException | RuntimeException e) {
            logger.log(Level.DEBUG, "warm-up", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread whose failure costs a rehearsal, and nothing else. */
    static Thread background(String name, System.Logger logger, Runnable play) {
        Thread thread = Daemons.of(name, play);
        thread.setUncaughtExceptionHandler((failed, e) -> logger.log(Level.DEBUG, "warm-up", e));
        return thread;
    }
}
