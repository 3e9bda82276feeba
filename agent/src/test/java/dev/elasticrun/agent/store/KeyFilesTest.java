/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a real run directory, whose file system takes no key for a while: a directory is in its way. */
@Timeout(60)
final class KeyFilesTest {
    private static final byte[] KEY = {1, 2, 3};

    private final ThreadEventLoop loop = new ThreadEventLoop("loop", error -> {});
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();
    private RunDirectory run;
    private Path obstacle;

    @BeforeEach
    void make() throws IOException {
        run = RunDirectory.create("key-files-test", "node-" + System.nanoTime(), 1);
        obstacle = Files.createDirectory(run.path().resolve("key"));
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        run.close();
    }

    @Test
    void write_impossibleForAWhile_isDoneInTheEnd() throws Exception {
        write();
        await().until(() -> asked.get() > 1);
        Files.delete(obstacle);

        assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo("written");
        assertThat(RunDirectory.readKey(run.path())).isEqualTo(KEY);
    }

    @Test
    @Tag("slow")
    void write_neverPossible_reportsWhereAndWhy() throws Exception {
        write();

        assertThat(outcome.get(30, TimeUnit.SECONDS)).contains(run.path() + ": ", " 10 s (expected: ");
    }

    private void write() {
        KeyFiles files = new KeyFiles(loop, run, Optional.empty(), () -> asked.incrementAndGet() == 1);
        loop.execute(() -> files.write(KEY, () -> outcome.complete("written"), outcome::complete));
    }
}
