/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.DrainSignal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ExitHoldbackTest {
    private static final long NOW = Long.MAX_VALUE;

    private final ExitHoldback news = new ExitHoldback(DrainSignal.exitCodes(List.of(DrainSignal.USR1)));

    @Test
    void of_exitThatNoSchedulerCauses_isReportedAtOnce() {
        for (int exitCode : List.of(0, 1, 137, 139, 140)) {
            assertThat(news.of(NOW, exitCode, () -> false)).isCompleted();
        }
    }

    @Test
    void of_schedulersSignal_isReportedAfterAMoment() throws Exception {
        for (int exitCode : List.of(129, 130, 138, 143)) {
            long before = System.nanoTime();
            news.of(NOW, exitCode, () -> false).get(10, SECONDS);
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(ExitHoldback.MOMENT.toNanos());
        }
    }

    @Test
    void of_failureAfterASchedulersSignal_isReportedAfterIt() throws Exception {
        CompletableFuture<Void> first = news.of(NOW, 143, () -> false);
        CompletableFuture<Void> follows = news.of(NOW, 1, () -> false);
        CompletableFuture<Boolean> inOrder = follows.thenApply(ok -> first.isDone());

        assertThat(news.of(NOW, 0, () -> false)).isCompleted();
        assertThat(follows).isNotCompleted();
        assertThat(inOrder.get(10, SECONDS)).isTrue();
        news.release();
        assertThat(news.of(NOW, 1, () -> false)).isCompleted();
    }

    @Test
    void of_failureAfterTheMoment_isReportedAtOnce() {
        news.of(NOW, 143, () -> false);

        assertThat(news.of(NOW + ExitHoldback.MOMENT.toNanos() - 1, 1, () -> false))
                .isNotCompleted();
        assertThat(news.of(NOW + 2 * ExitHoldback.MOMENT.toNanos(), 1, () -> false))
                .isCompleted();
    }

    @Test
    void of_signalOfTheAgentItself_isReportedAtOnce() {
        assertThat(news.of(NOW, 143, () -> true)).isCompleted();
    }

    @Test
    void leaving_whatIsHeldAndWhatComes_isReportedAtOnce() {
        ExitHoldback held = new ExitHoldback(DrainSignal.exitCodes(List.of()));
        CompletableFuture<Void> first = held.of(NOW, 143, () -> false);

        held.leaving();

        assertThat(first).isCompleted();
        assertThat(held.of(NOW, 143, () -> false)).isCompleted();
    }

    @Test
    void release_whatIsHeld_isReportedAtOnce() {
        CompletableFuture<Void> first = news.of(NOW, 143, () -> false);

        news.release();

        assertThat(first).isCompleted();
    }
}
