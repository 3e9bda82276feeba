/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.internal.engine.PatternState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lazy states and local ones in a loop, on a real channel. */
@Timeout(30)
final class ElasticStateTest {
    @TempDir
    private Path node;

    private TestAgent agent;
    private WorkerRuntime worker;

    /** A number that is read as an array or as a stream. */
    private static final class Counter implements Snapshotable {
        private byte value;
        private int saved;

        @Override
        public byte[] save() {
            saved++;
            return new byte[] {value};
        }

        @Override
        public void restore(byte[] snapshot) {
            value = snapshot[0];
        }
    }

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

    @Test
    void lazy_isWrittenDownWhenTheLoopIsEnteredAgain_andNotByCommits() throws Exception {
        Counter number = new Counter();
        ElasticState state = ElasticState.lazy(number);
        List<Integer> saved = new ArrayList<>();
        ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> {
            saved.add(number.saved);
            while (number.value < 5) {
                number.value++;
                state.commit();
            }
            saved.add(number.saved);
            if (collective.round() == 1) {
                change(2);
                collective.barrier();
            }
        });
        assertThat(saved).containsExactly(1, 1, 2, 2);
        assertThat(number.value).isEqualTo((byte) 5);
        assertThat(state.version()).isEqualTo(5);
    }

    /** All forms of both states: the first of each pair makes the state, the second reads or writes the local number. */
    static Stream<BiFunction<Counter, Counter, ElasticState>> withLocals() {
        return Stream.of(
                (global, local) -> ElasticState.of(global).withLocal(local),
                (global, local) -> ElasticState.of(global).withLocal(streamed(local)),
                (global, local) -> ElasticState.of(streamed(global)).withLocal(local),
                (global, local) -> ElasticState.of(streamed(global)).withLocal(streamed(local)));
    }

    @ParameterizedTest
    @MethodSource("withLocals")
    void local_isRestoredFromTheFirstCommitOn(BiFunction<Counter, Counter, ElasticState> make) throws Exception {
        Counter global = new Counter();
        Counter local = new Counter();
        ElasticState state = make.apply(global, local);
        List<String> seen = new ArrayList<>();
        ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> {
            seen.add(state.isLocalRestored() + " " + global.value + " " + local.value);
            if (collective.round() == 1) {
                local.value = 1;
                change(2);
                collective.barrier();
            }
            if (collective.round() == 2) {
                local.value = 7;
                global.value = 3;
                state.commit();
                local.value = 8;
                state.restore();
                assertThat(local.value).isEqualTo((byte) 7);
                local.value = 9;
                global.value = 9;
                change(3);
                collective.barrier();
            }
        });
        assertThat(seen).containsExactly("false 0 0", "false 0 1", "true 3 7");
    }

    @Test
    void local_ofAStateThatCannotHaveOne_isRefused() {
        Counter number = new Counter();
        for (ElasticState state : List.of(
                ElasticState.lazy(number),
                ElasticState.of(number).acrossLoops(),
                ElasticState.of(number).withLocal(number))) {
            assertThatThrownBy(() -> state.withLocal(number)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> ElasticState.of(number).withLocal(number).acrossLoops())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void streamedLocal_ofAnySize_isRestored() throws Exception {
        PatternState local = new PatternState(3_000_000);
        ElasticState state = ElasticState.of(new Counter()).withLocal(local);
        ElasticLoop.run(worker, state, LoopOptions.STANDARD, collective -> {
            if (collective.round() == 1) {
                local.number(7);
                state.commit();
                local.number(8);
                change(2);
                collective.barrier();
            }
        });
        assertThat(local.number()).isEqualTo(7);
    }

    private static StreamedSnapshot streamed(Snapshotable number) {
        return new StreamedSnapshot() {
            @Override
            public void save(WritableByteChannel to) throws IOException {
                to.write(ByteBuffer.wrap(number.save()));
            }

            @Override
            public void restore(ReadableByteChannel from) throws IOException {
                number.restore(Channels.newInputStream(from).readAllBytes());
            }
        };
    }

    private void change(long round) throws IOException {
        agent.pause(round - 1);
        agent.peers(round, 1);
        agent.work(round, 0, 1);
        worker.awaitWork(round - 1);
    }
}
