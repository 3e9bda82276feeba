/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ThreadEventLoopTest {
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final ThreadEventLoop loop = new ThreadEventLoop("test-loop", errors::add);

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void execute_manyTasks_runsThemInOrderOnOneThread() throws Exception {
        List<Integer> seen = new ArrayList<>();
        CompletableFuture<List<Integer>> done = new CompletableFuture<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            loop.execute(() -> {
                loop.assertInLoop();
                seen.add(number);
            });
        }
        loop.execute(() -> done.complete(List.copyOf(seen)));

        assertThat(done.get(10, TimeUnit.SECONDS)).hasSize(100).isSorted();
    }

    @Test
    void schedule_cancelledInLoop_neverRuns() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> {
            EventLoop.Timer timer = loop.schedule(Duration.ZERO, () -> done.complete(false));
            timer.cancel();
            EventLoop.Timer later = loop.schedule(Duration.ofMillis(20), () -> done.complete(true));
            assertThat(later).isNotNull();
        });

        assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void execute_taskThatThrows_reportsAndGoesOn() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> {
            throw new IllegalStateException("as planned");
        });
        loop.execute(() -> done.complete(true));

        assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(errors).hasSize(1);
    }

    @Test
    void assertInLoop_fromElsewhere_namesTheThread() {
        assertThatThrownBy(loop::assertInLoop)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Thread.currentThread().getName());
    }
}
