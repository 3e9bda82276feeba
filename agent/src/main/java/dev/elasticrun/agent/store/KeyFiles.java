/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the run key and what is derived from it, for the workers and commands of this host. Runs beside the loop, on
 * thread {@code run-key}: certificates take long in a young JVM. Retries a failed write for a while, as a file system
 * may be full for a moment. Owned by the loop, but for {@link #close}.
 */
public final class KeyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(KeyFiles.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EventLoop loop;
    private final RunDirectory runDirectory;
    private final Optional<RunTls> tls;
    private final BooleanSupplier makesRoom;
    private byte @Nullable [] newest;
    private volatile @Nullable Thread writer;

    /**
     * @param tls receives the key before anything is written
     * @param makesRoom releases room in the run directory's file system; false when there is none left
     */
    public KeyFiles(EventLoop loop, RunDirectory runDirectory, Optional<RunTls> tls, BooleanSupplier makesRoom) {
        this.loop = loop;
        this.runDirectory = runDirectory;
        this.tls = tls;
        this.makesRoom = makesRoom;
    }

    /**
     * Writes it unless it was written already.
     *
     * @param written run in the loop when the files are there
     * @param failed receives in the loop why they cannot be written
     */
    public void write(byte[] runKey, Runnable written, Consumer<String> failed) {
        if (Arrays.equals(runKey, newest)) {
            written.run();
            return;
        }
        newest = runKey.clone();
        attempt(new Wanted(runKey, written, failed, loop.nowNanos() + PATIENCE.toNanos()), true);
    }

    private record Wanted(byte[] key, Runnable written, Consumer<String> failed, long deadlineNanos) {}

    private void attempt(Wanted wanted, boolean isFirst) {
        Thread thread = Daemons.of("run-key", () -> {
            try {
                write(wanted.key());
            } catch (IOException | RuntimeException e) {
                loop.execute(() -> again(wanted, isFirst, e));
                return;
            }
            loop.execute(wanted.written());
        });
        writer = thread;
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            again(wanted, isFirst, noThread);
        }
    }

    private void again(Wanted wanted, boolean isFirst, Throwable failure) {
        String what = "cannot write the run key into " + runDirectory.path() + ": " + failure;
        if (loop.nowNanos() - wanted.deadlineNanos() >= 0) {
            newest = null;
            wanted.failed()
                    .accept(what + ", for " + PATIENCE.toSeconds()
                            + " s (expected: a directory that can be written, with some room)");
            return;
        }
        if (isFirst) {
            LOG.warn("{}; trying again", what);
        }
        loop.schedule(makesRoom.getAsBoolean() ? Duration.ZERO : PAUSE, () -> attempt(wanted, false));
    }

    private void write(byte[] runKey) throws IOException {
        if (tls.isPresent()) {
            tls.get().known(runKey);
            TlsMaterial shown = tls.get().material();
            runDirectory.writeTls(shown.chainPem(), shown.keyPem(), shown.authoritiesPem());
        }
        runDirectory.writeKey(runKey);
    }

    /** Returns when nothing is written any more. Called outside the loop, which has ended. */
    public void close() {
        Thread last = writer;
        if (last != null) {
            try {
                last.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
