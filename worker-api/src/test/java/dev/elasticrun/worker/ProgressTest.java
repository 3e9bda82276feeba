/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.Heartbeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgressTest {
    private final Path directory;
    private final Path file;
    private final Progress progress;

    ProgressTest(@TempDir Path directory) {
        this.directory = directory;
        this.file = directory.resolve("heartbeat");
        this.progress = Progress.create(file);
    }

    @Test
    void beat_isSeenWithStepAndThread() {
        assertThat(view().beats()).isZero();

        progress.beat(41, 0);
        progress.beat(42, 50);
        progress.beat();

        Heartbeat.View view = view();
        assertThat(view.beats()).isEqualTo(3);
        assertThat(view.progress().step()).isEqualTo(42);
        assertThat(view.isJvm()).isTrue();
        assertThat(view.thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(view.section().number()).isZero();
    }

    @Test
    void t2_sectionInASection_comesBackToTheOuterOneWithItsFullTime() {
        try (Section outer = progress.open("outer", Duration.ofSeconds(9))) {
            long before = view().beats();
            try (Section inner = progress.open("inner", Duration.ZERO)) {
                assertThat(inner.name()).isEqualTo("inner");
                assertThat(view().section().name()).isEqualTo("inner");
                assertThat(view().section().limitNanos()).isZero();
            }
            assertThat(view().section().name()).isEqualTo(outer.name());
            assertThat(view().section().limitNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(9));
            assertThat(view().beats()).isEqualTo(before + 2);
        }
        assertThat(view().section().number()).isZero();
        assertThat(view().section().name()).isEmpty();
    }

    @Test
    void t2_sameSectionWithinItself_startsItsTimeAnew() {
        try (Section outer = progress.open("load", Duration.ofSeconds(9));
                Section inner = progress.open("load", Duration.ofSeconds(9))) {
            assertThat(inner).isNotSameAs(outer);
            assertThat(view().section().number()).isEqualTo(1);
            assertThat(view().beats()).isEqualTo(2);
        }
    }

    @Test
    void t2_exceptionInASection_leavesIt() {
        assertThatThrownBy(() -> {
                    try (Section section = progress.open("load", Duration.ZERO)) {
                        throw new IOException(section.name());
                    }
                })
                .isInstanceOf(IOException.class);
        assertThat(view().section().number()).isZero();
    }

    @Test
    void open_peerSection_waitsForWorkersOfItsRoundAndASectionInItDoesNot() {
        try (Section outer = progress.open("exchange", Duration.ZERO, 7)) {
            assertThat(view().section().peerRound())
                    .isEqualTo(outer.peerRound())
                    .isEqualTo(7);
            assertThat(view().section().waits()).isTrue();
            try (Section inner = progress.open("evaluate", Duration.ZERO)) {
                assertThat(view().section().peerRound())
                        .isEqualTo(inner.peerRound())
                        .isZero();
                assertThat(view().section().waits()).isFalse();
            }
            assertThat(view().section().peerRound()).isEqualTo(7);
        }
        assertThat(view().section().peerRound()).isZero();
    }

    @Test
    void t1_sectionClosedTwice_isClosedOnce() {
        Section outer = progress.open("outer", Duration.ZERO);
        Section inner = progress.open("inner", Duration.ZERO);
        outer.close();
        long beats = view().beats();

        inner.close();
        outer.close();

        assertThat(view().section().number()).isZero();
        assertThat(view().beats()).isEqualTo(beats);
    }

    @Test
    void open_manySections_thoseBeyondTheFileAreNone() {
        for (int i = 0; i < 100; i++) {
            progress.open("section " + i, Duration.ZERO).close();
        }
        try (Section known = progress.open("section 60", Duration.ZERO)) {
            assertThat(view().section().name()).isEqualTo(known.name());
        }
        try (Section unknown = progress.open("section 61", Duration.ZERO)) {
            assertThat(unknown.name()).isEqualTo("section 61");
            assertThat(view().section().number()).isZero();
        }
    }

    @Test
    void open_longName_isCut() {
        try (Section section = progress.open("x".repeat(500), Duration.ZERO)) {
            assertThat(view().section().name()).isEqualTo("x".repeat(63));
            assertThat(section.outer()).isNull();
        }
    }

    @Test
    void open_noNameOrNegativeTime_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> progress.open(" ", Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> progress.open("a", Duration.ofMillis(-1)));
    }

    @Test
    void create_noDirectory_reportsNothingAndChangesNothing() {
        Progress mute = Progress.create(directory.resolve("missing/heartbeat"));
        mute.beat(1, 0);
        mute.open("a", Duration.ZERO).close();
        mute.look(0, Optional.empty());
        assertThat(directory.resolve("missing")).doesNotExist();
    }

    @Test
    void look_beforeTheFirstSign_showsThatTheProcessRuns() {
        progress.look(TimeUnit.SECONDS.toNanos(5), Optional.empty());
        progress.look(TimeUnit.SECONDS.toNanos(6), Optional.empty());

        assertThat(view().looks()).isEqualTo(2);
        assertThat(view().beats()).isZero();
        assertThat(view().section().waits()).isFalse();
    }

    @Test
    void look_stillForASecond_reportsWhetherTheThreadWaits() {
        progress.beat();
        progress.look(0, Optional.empty());
        progress.look(TimeUnit.MILLISECONDS.toNanos(900), Optional.empty());
        assertThat(view().looks()).isZero();

        progress.look(TimeUnit.MILLISECONDS.toNanos(1000), Optional.empty());

        assertThat(view().looks()).isEqualTo(1);
        // The innermost call that is not the JDK's is one of this package.
        assertThat(view().section().waits()).isTrue();
    }

    @Test
    void look_programWaitsForItsQueue_waitsIfThatIsInACallOfOurs() throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        ExecutorService program = Executors.newSingleThreadExecutor();
        ExecutorService queue = Executors.newSingleThreadExecutor();
        try {
            // It then waits for work, in the JDK's code alone.
            program.submit((Runnable) progress::beat).get();
            CompletableFuture<Thread> queueThread = new CompletableFuture<>();
            queue.submit(() -> {
                queueThread.complete(Thread.currentThread());
                return end.join();
            });
            Awaitility.await().until(() -> queueThread.join().getState() == Thread.State.WAITING);
            progress.look(0, Optional.empty());
            progress.look(TimeUnit.SECONDS.toNanos(1), Optional.empty());
            assertThat(view().section().waits()).isFalse();
            Awaitility.await().until(() -> {
                progress.look(TimeUnit.SECONDS.toNanos(2 + view().looks()), Optional.of(queueThread.join()));
                return view().section().waits();
            });
        } finally {
            end.complete(null);
            program.shutdown();
            queue.shutdown();
        }
    }

    @Test
    void isOurs_innermostCallThatIsNotTheJdks_decides() {
        assertThat(Progress.isOurs(
                        stack("java.lang.Thread", "dev.elasticrun.worker.collective.FrameMultiplexer", "app.Main")))
                .isTrue();
        assertThat(Progress.isOurs(stack("java.util.HashMap", "app.Main", "dev.elasticrun.worker.ElasticLoop")))
                .isFalse();
        assertThat(Progress.isOurs(stack("java.lang.Thread"))).isFalse();
    }

    private static StackTraceElement[] stack(String... classes) {
        return java.util.Arrays.stream(classes)
                .map(name -> new StackTraceElement(name, "call", "File.java", 1))
                .toArray(StackTraceElement[]::new);
    }

    private Heartbeat.View view() {
        try {
            return Heartbeat.View.decode(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
