/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether the file system of the logs has room. Workers write to their logs themselves, and what they cannot
 * write is lost unnoticed; a full file system is logged once. Owned by one thread.
 */
final class LogSpace {
    private static final Logger LOG = LoggerFactory.getLogger(LogSpace.class);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LEAST = 4096;

    private final Path file;
    private final Consumer<Boolean> changed;
    private boolean isFull;
    private boolean hasLooked;
    private long lookedNanos;

    /** @param changed called with true when there is room again */
    LogSpace(Path file, Consumer<Boolean> changed) {
        this.file = file;
        this.changed = changed;
    }

    /** Looks, unless it did a moment ago. */
    void look(long nowNanos) {
        if (hasLooked && nowNanos - lookedNanos < EVERY_NANOS) {
            return;
        }
        hasLooked = true;
        lookedNanos = nowNanos;
        try {
            see(Files.getFileStore(file.getParent()).getUsableSpace());
        } catch (IOException e) {
            LOG.debug("cannot read how much room there is for logs", e);
        }
    }

    void see(long usableBytes) {
        boolean isFullNow = usableBytes < LEAST;
        if (isFullNow == isFull) {
            return;
        }
        isFull = isFullNow;
        if (isFull) {
            LOG.warn("the file system of {} is full: what workers write to their logs is lost", file.getParent());
        } else {
            LOG.info("there is room for logs again in {}", file.getParent());
        }
        changed.accept(!isFull);
    }
}
