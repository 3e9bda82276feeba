/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
final class GaugeReadsTest {
    @RegisterExtension
    final CapturedLog log = new CapturedLog(GaugeReads.class);

    private final CompletableFuture<Throwable> errors = new CompletableFuture<>();

    @AutoClose
    private final ThreadEventLoop loop = new ThreadEventLoop("test-loop", errors::complete);

    private final Semaphore files = new Semaphore(0);
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean isBroken;
    private final GaugeReads gauges = new GaugeReads(loop, this::readFiles);

    private Map<WorkerGauges.Key, WorkerStatus> readFiles() {
        files.acquireUninterruptibly();
        if (isBroken) {
            throw new IllegalStateException("broken");
        }
        return Map.of(new WorkerGauges.Key(0, reads.incrementAndGet()), WorkerStatus.getDefaultInstance());
    }

    @Test
    void askedWhileFilesAreRead_bothReceiveTheSame_andTheLoopGoesOn() {
        CompletableFuture<Integer> first = ask();
        CompletableFuture<Integer> second = ask();
        CompletableFuture<Boolean> goesOn = new CompletableFuture<>();
        loop.execute(() -> goesOn.complete(true));
        assertThat(goesOn.join()).isTrue();
        assertThat(first).isNotDone();

        files.release();

        assertThat(first.join()).isEqualTo(1);
        assertThat(second.join()).isEqualTo(1);
        files.release();
        assertThat(ask().join()).isEqualTo(2);
        assertThat(errors).isNotDone();
    }

    @Test
    void filesCannotBeRead_isLogged_andTheyAreReadAgainWhenAsked() {
        isBroken = true;
        CompletableFuture<Integer> first = ask();
        files.release();
        await().untilAsserted(() -> assertThat(log.messages())
                .containsExactly("cannot read what workers do: java.lang.IllegalStateException: broken"));

        isBroken = false;
        files.release();
        assertThat(ask().join()).isEqualTo(1);
        assertThat(first).isNotDone();
    }

    /** Which reading of the files it is. */
    private CompletableFuture<Integer> ask() {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        loop.execute(() -> gauges.read(
                read -> number.complete(read.keySet().iterator().next().attempt())));
        return number;
    }
}
