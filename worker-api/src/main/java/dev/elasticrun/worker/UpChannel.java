/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Messages to the agent, numbered from 1; a file has its name only when it is whole. What cannot be written, because the
 * file system is full, waits and goes first at the next attempt, so the order stays. Any thread may send.
 */
final class UpChannel {
    private static final System.Logger LOGGER = System.getLogger(UpChannel.class.getName());
    /** Far more than a worker sends in the time that an agent gives it to acknowledge. */
    static final int MAX_WAITING = 1000;

    private final @Nullable Path directory;
    // Guarded by this.
    private final Deque<UpMessage> waiting = new ArrayDeque<>();
    private long written;

    /** @param directory null = nobody reads messages, and none is kept */
    UpChannel(@Nullable Path directory) {
        this.directory = directory;
    }

    /** Does not throw: what the agent cannot be sent now is sent later, see {@link #retry}. */
    synchronized void send(UpMessage message) {
        if (directory == null) {
            return;
        }
        if (message instanceof UpMessage.Progress) {
            waiting.removeIf(UpMessage.Progress.class::isInstance);
        }
        if (waiting.size() == MAX_WAITING) {
            LOGGER.log(Level.ERROR, "lost, as too many messages to the agent wait: " + waiting.poll());
        }
        waiting.add(message);
        boolean isFirst = waiting.size() == 1;
        writeAll(isFirst);
    }

    /** Writes what waits. Several times a second. */
    synchronized void retry() {
        writeAll(false);
    }

    private void writeAll(boolean isFirst) {
        while (directory != null && !waiting.isEmpty()) {
            UpMessage message = waiting.element();
            try {
                write(directory, message, written + 1);
            } catch (IOException e) {
                if (isFirst) {
                    LOGGER.log(
                            Level.WARNING,
                            "cannot write " + message.getClass().getSimpleName() + " for the agent, trying again: "
                                    + e);
                }
                return;
            }
            written++;
            waiting.remove();
        }
    }

    private static void write(Path directory, UpMessage message, long seq) throws IOException {
        Path temporary = directory.resolve(seq + ".tmp");
        try {
            Files.write(temporary, MessageCodec.encode(message));
            Files.move(temporary, directory.resolve(seq + ".json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }
}
