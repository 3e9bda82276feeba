/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class EndNewsTest {
    private final EndNews news = new EndNews(DrainSignal.exitCodes(List.of(DrainSignal.USR1)));

    @Test
    void of_exitThatNoSchedulerCauses_isToldAtOnce() {
        for (int exitCode : List.of(0, 1, 137, 139, 140)) {
            assertThat(news.of(exitCode, () -> false)).isCompleted();
        }
    }

    @Test
    void of_schedulersSignal_isToldAfterAMoment() throws Exception {
        for (int exitCode : List.of(129, 130, 138, 143)) {
            long before = System.nanoTime();
            news.of(exitCode, () -> false).get(10, SECONDS);
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(EndNews.MOMENT.toNanos());
        }
    }

    @Test
    void of_failureAfterASchedulersSignal_isToldAfterIt() throws Exception {
        CompletableFuture<Void> first = news.of(143, () -> false);
        CompletableFuture<Void> follows = news.of(1, () -> false);
        CompletableFuture<Boolean> inOrder = follows.thenApply(ok -> first.isDone());

        assertThat(news.of(0, () -> false)).isCompleted();
        assertThat(follows).isNotCompleted();
        assertThat(inOrder.get(10, SECONDS)).isTrue();
        news.release();
        assertThat(news.of(1, () -> false)).isCompleted();
    }

    @Test
    void of_signalOfTheAgentItself_isToldAtOnce() {
        assertThat(news.of(143, () -> true)).isCompleted();
    }

    @Test
    void leaving_whatIsHeldAndWhatComes_isToldAtOnce() {
        EndNews held = new EndNews(DrainSignal.exitCodes(List.of()));
        CompletableFuture<Void> first = held.of(143, () -> false);

        held.leaving();

        assertThat(first).isCompleted();
        assertThat(held.of(143, () -> false)).isCompleted();
    }

    @Test
    void release_whatIsHeld_isToldAtOnce() {
        CompletableFuture<Void> first = news.of(143, () -> false);

        news.release();

        assertThat(first).isCompleted();
    }
}
