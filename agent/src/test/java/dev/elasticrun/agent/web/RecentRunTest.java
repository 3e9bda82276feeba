/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RecentRunTest {
    private final Deque<CompletableFuture<String>> answers = new ArrayDeque<>();
    private final RecentRun<String> recent = new RecentRun<>(answers::pop, this::now);
    private long nowNanos;

    @Test
    void get_withinASecond_readsOnce() {
        answers.addAll(List.of(done("one"), done("two")));

        assertThat(recent.get()).contains("one");
        nowNanos += Duration.ofMillis(900).toNanos();
        assertThat(recent.get()).contains("one");
        nowNanos += Duration.ofMillis(200).toNanos();
        assertThat(recent.get()).contains("two");
    }

    @Test
    void get_whileNothingCanBeRead_isWhatThereWas() {
        answers.addAll(List.of(done("one"), CompletableFuture.failedFuture(new IOException("away")), done("two")));
        recent.get();
        nowNanos += Duration.ofSeconds(2).toNanos();

        assertThat(recent.get()).contains("one");
        assertThat(recent.get()).contains("two");
    }

    @Test
    void get_nothingEver_isEmpty() {
        answers.add(CompletableFuture.failedFuture(new IOException("away")));

        assertThat(recent.get()).isEmpty();
    }

    private long now() {
        return nowNanos;
    }

    private static CompletableFuture<String> done(String value) {
        return CompletableFuture.completedFuture(value);
    }
}
