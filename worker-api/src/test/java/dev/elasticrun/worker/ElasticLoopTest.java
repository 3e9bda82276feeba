/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.internal.engine.PatternState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What leaves the body of a loop, on a real channel: a change of the world, or a failure of the program. */
@Timeout(30)
final class ElasticLoopTest {
    @TempDir
    private Path node;

    private TestAgent agent;
    private WorkerRuntime worker;
    private final List<Long> rounds = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        agent = TestAgent.ofOneWorker(node);
        worker = WorkerRuntime.start(agent.environment());
    }

    @AfterEach
    void stop() {
        worker.close();
        agent.close();
    }

    /** How programs, futures and pools throw on what they got. */
    static Stream<ElasticLoop.Body> waysToThrowOn() {
        return Stream.of(
                Collective::barrier,
                collective -> collective.async().barrier().join(),
                collective -> collective.async().barrier().get(),
                collective -> {
                    try {
                        collective.barrier();
                    } catch (WorldChangedException e) {
                        throw new IllegalStateException("a step failed", new ExecutionException(e));
                    }
                },
                collective -> {
                    try {
                        collective.barrier();
                    } catch (WorldChangedException e) {
                        throw new AssertionError("no step fails", e);
                    }
                },
                collective -> {
                    try (AutoCloseable file = ElasticLoopTest::failToClose) {
                        assertThat(file).isNotNull();
                        collective.barrier();
                    }
                },
                collective -> {
                    IOException all = new IOException("2 of 2 parts failed");
                    all.addSuppressed(new IOException("a part"));
                    all.addSuppressed(new IOException("a part", thrownBy(collective::barrier)));
                    throw all;
                });
    }

    @ParameterizedTest
    @MethodSource("waysToThrowOn")
    void body_throwsOnTheChange_isEnteredAgain(ElasticLoop.Body way) throws Exception {
        run(collective -> {
            if (collective.round() == 1) {
                change(2);
                way.run(collective);
            }
        });
        assertThat(rounds).containsExactly(1L, 2L);
    }

    @Test
    void body_failsByItselfWhileTheRoundEnds_isAFailure() {
        assertThatThrownBy(() -> run(collective -> {
                    change(2);
                    throw new IOException("no such file");
                }))
                .hasMessage("no such file");
        assertThat(rounds).containsExactly(1L);
    }

    @Test
    void body_failsAndMeetsTheChangeWhileItCloses_failsInTheNextRound() {
        assertThatThrownBy(() -> run(collective -> {
                    if (collective.round() == 1) {
                        change(2);
                    }
                    try (AutoCloseable last = collective::barrier) {
                        assertThat(last).isNotNull();
                        throw new IOException("no such file");
                    }
                }))
                .hasMessage("no such file");
        assertThat(rounds).containsExactly(1L, 2L);
    }

    @Test
    void body_throwsTheChangeOfAnEarlierRound_isAFailure() {
        List<Throwable> kept = new ArrayList<>();
        assertThatThrownBy(() -> run(collective -> {
                    if (collective.round() == 1) {
                        change(2);
                        kept.add(thrownBy(collective::barrier));
                    }
                    throw new IllegalStateException("broken for ever", kept.get(0));
                }))
                .hasMessage("broken for ever");
        assertThat(rounds).containsExactly(1L, 2L);
    }

    @Test
    void body_outOfMemoryInTheChange_isAFailure() {
        assertThatThrownBy(() -> run(collective -> {
                    change(2);
                    OutOfMemoryError error = new OutOfMemoryError("heap");
                    error.addSuppressed(thrownBy(collective::barrier));
                    throw error;
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void secondLoop_reportsWhatToDo() throws Exception {
        ElasticState state = ElasticState.of(new Empty());
        ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> assertThatThrownBy(() -> run(inner -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one is running"));
        assertThatThrownBy(() -> ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot run a second loop in this process: the state is not one of several loops, and this"
                        + " worker has left its round (expected: a state made with acrossLoops)");
        assertThatThrownBy(() -> run(collective -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot run loop 2 of this process with another state than the loops before (expected: the"
                        + " state of all loops, made with acrossLoops)");
        assertThat(rounds).isEmpty();
    }

    @Test
    void streamedState_beginsAsVersionOneAndIsRestored() throws Exception {
        PatternState pattern = new PatternState(100_000).number(7);
        ElasticState state = ElasticState.of(pattern);
        List<String> seen = new ArrayList<>();
        ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> {
            seen.add(state.version() + ": " + pattern.number());
            if (collective.round() == 1) {
                pattern.number(8);
                state.commit();
                pattern.number(9);
                state.restore();
                assertThat(pattern.number()).isEqualTo(8);
                pattern.number(9);
                change(2);
                collective.barrier();
            }
        });
        assertThat(seen).containsExactly("1: 7", "2: 8");
    }

    private void run(ElasticLoop.Body body) throws Exception {
        run(LoopOptions.STANDARD, body);
    }

    private void run(LoopOptions options, ElasticLoop.Body body) throws Exception {
        ElasticLoop.run(worker, ElasticState.of(new Empty()), options, collective -> {
            rounds.add(collective.round());
            body.run(collective);
        });
    }

    private void change(long round) {
        try {
            agent.pause(round - 1);
            agent.peers(round, 1);
            agent.work(round, 0, 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        worker.awaitWork(round - 1);
    }

    private static Throwable thrownBy(Runnable call) {
        try {
            call.run();
        } catch (WorldChangedException e) {
            return e;
        }
        throw new AssertionError("the world has not changed");
    }

    private static void failToClose() throws IOException {
        throw new IOException("cannot close");
    }

    private static final class Empty implements Snapshotable {
        @Override
        public byte[] save() {
            return new byte[0];
        }

        @Override
        public void restore(byte[] snapshot) {}
    }
}
