/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.process.RunDirectory;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The run key and what follows from it, for the workers and commands of this host. Made and written beside the loop, on
 * thread {@code run-key}: certificates take long in a young JVM. Owned by the loop, but for {@link #close}.
 */
final class KeyFiles {
    private final RunDirectory runDirectory;
    private final Optional<RunTls> tls;
    private byte @Nullable [] newest;
    private volatile @Nullable Thread writer;

    /** @param tls learns the key before anything is written */
    KeyFiles(RunDirectory runDirectory, Optional<RunTls> tls) {
        this.runDirectory = runDirectory;
        this.tls = tls;
    }

    /**
     * Writes it unless it was written already.
     *
     * @param written run by any thread when the files are there
     * @param failed told by any thread why they cannot be
     */
    void write(byte[] runKey, Runnable written, Consumer<String> failed) {
        if (Arrays.equals(runKey, newest)) {
            written.run();
            return;
        }
        newest = runKey.clone();
        Thread thread = new Thread(
                () -> {
                    try {
                        write(runKey);
                    } catch (IOException | RuntimeException e) {
                        failed.accept("cannot write the run key: " + e);
                        return;
                    }
                    written.run();
                },
                "run-key");
        thread.setDaemon(true);
        writer = thread;
        thread.start();
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
    void close() {
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
