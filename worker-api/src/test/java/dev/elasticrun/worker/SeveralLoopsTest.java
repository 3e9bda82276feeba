/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loops one after the other in a process, on real channels, of which workers are lost. */
@Timeout(60)
@Tag("once")
final class SeveralLoopsTest {
    private static final int LOOPS = 3;
    private static final int STEPS = 4;
    private static final String YIELD = "[4, 8, 12]";

    @TempDir
    private Path node;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<WorkerRuntime> runtimes = new ArrayList<>();
    private final List<TestAgent> agents = new ArrayList<>();

    /** How the state is kept. */
    enum Form {
        WHOLE,
        LAZY,
        STREAMED
    }

    /** A worker's program: each loop adds up what its number is, and starts from nothing. */
    private static final class Program {
        private final WorkerRuntime worker;
        private final Form form;
        private final List<Integer> entered = new CopyOnWriteArrayList<>();
        private int dyingLoop = -1;
        private int dyingStep;
        private List<Program> witnesses = List.of();
        private long version;

        Program(WorkerRuntime worker, Form form) {
            this.worker = worker;
            this.form = form;
        }

        /** @param others that are in that loop before it dies: a rank may be there while another still ends the one before */
        Program diesIn(int loop, int step, Program... others) {
            dyingLoop = loop;
            dyingStep = step;
            witnesses = List.of(others);
            return this;
        }

        String run() throws Exception {
            Folds folds = new Folds();
            ElasticState state =
                    switch (form) {
                        case WHOLE -> ElasticState.of((Snapshotable) folds).acrossLoops();
                        case LAZY -> ElasticState.lazy(folds).acrossLoops();
                        case STREAMED ->
                            ElasticState.of((StreamedSnapshot) folds).acrossLoops();
                    };
            for (int loop = 0; loop < LOOPS; loop++) {
                int held = loop;
                folds.step = 0;
                folds.sum = 0;
                ElasticLoop.run(
                        worker, state, LoopOptions.STANDARD, collective -> work(collective, state, folds, held));
            }
            version = state.version();
            return Arrays.toString(folds.yields);
        }

        private void work(Collective collective, ElasticState state, Folds folds, int loop) throws IOException {
            entered.add(loop);
            while (folds.step < STEPS) {
                mayDie(loop, folds.step);
                long[] sum = {loop + 1};
                collective.allReduce(sum, ReduceOp.SUM);
                folds.sum += sum[0] / collective.worldSize();
                folds.step++;
                state.commit();
            }
            folds.yields[loop] = folds.sum;
            mayDie(loop, folds.step);
        }

        private void mayDie(int loop, int step) throws IOException {
            if (loop == dyingLoop && step == dyingStep) {
                await().until(() -> witnesses.stream().allMatch(other -> other.entered.contains(loop)));
                worker.close();
                throw new IOException("killed");
            }
        }
    }

    /** What is in the state. */
    private static final class Folds implements Snapshotable, StreamedSnapshot {
        private final long[] yields = new long[LOOPS];
        private int step;
        private long sum;

        @Override
        public byte[] save() {
            ByteBuffer saved =
                    ByteBuffer.allocate(12 + LOOPS * Long.BYTES).putInt(step).putLong(sum);
            Arrays.stream(yields).forEach(saved::putLong);
            return saved.array();
        }

        @Override
        public void restore(byte[] snapshot) {
            ByteBuffer saved = ByteBuffer.wrap(snapshot);
            step = saved.getInt();
            sum = saved.getLong();
            Arrays.setAll(yields, i -> saved.getLong());
        }

        @Override
        public void save(WritableByteChannel to) throws IOException {
            to.write(ByteBuffer.wrap(save()));
        }

        @Override
        public void restore(ReadableByteChannel from) throws IOException {
            restore(Channels.newInputStream(from).readAllBytes());
        }
    }

    @AfterEach
    void close() {
        runtimes.forEach(WorkerRuntime::close);
        agents.forEach(TestAgent::close);
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void nothingHappens_eachLoopIsRunOnceInTheOneRound(Form form) throws Exception {
        Program program = new Program(alone("a", 1), form);
        assertThat(program.run()).isEqualTo(YIELD);
        assertThat(program.entered).containsExactly(0, 1, 2);
        assertThat(program.worker.round()).isOne();
        // Steps and ends, and the beginnings of streamed states.
        assertThat(program.version).isEqualTo((long) LOOPS * (STEPS + (form == Form.STREAMED ? 2 : 1)));
    }

    static Stream<Arguments> losses() {
        return Stream.of(Form.values())
                .flatMap(form -> Stream.of(
                        Arguments.of(form, 0, 0),
                        Arguments.of(form, 1, 0),
                        Arguments.of(form, 1, 2),
                        Arguments.of(form, 1, STEPS),
                        Arguments.of(form, 2, 3)));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void workerDies_itsSuccessorAsRankZeroSkipsWhatHasEnded(Form form, int loop, int step) throws Exception {
        Program survivor = new Program(start("a"), form);
        Program victim = new Program(start("b"), form).diesIn(loop, step, survivor);
        work(1, 1, 0, 1);
        Future<String> survived = threads.submit(survivor::run);
        Future<String> died = threads.submit(victim::run);
        assertThatThrownBy(() -> died.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("killed");

        agents.get(0).pause(1);
        Program successor = new Program(start("c"), form);
        work(2, 2, 2, 0);
        Future<String> succeeded = threads.submit(successor::run);

        assertThat(get(succeeded)).isEqualTo(YIELD);
        assertThat(get(survived)).isEqualTo(YIELD);
        int begun = requireBegin(successor, loop, step);
        assertThat(survivor.entered)
                .containsExactlyElementsOf(Stream.of(0, 1, 2)
                        .flatMap(each -> each == loop && each == begun ? Stream.of(each, each) : Stream.of(each))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("losses")
    void workerIsReplacedInTheSameWorld_theOthersNoticeNothing(Form form, int loop, int step) throws Exception {
        Program survivor = new Program(start("a", true), form);
        Program victim = new Program(start("b", true), form).diesIn(loop, step, survivor);
        work(1, 1, 0, 1);
        Future<String> survived = threads.submit(survivor::run);
        Future<String> died = threads.submit(victim::run);
        assertThatThrownBy(() -> died.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("killed");

        agents.get(0).pause(1);
        Program successor = new Program(start("c", true), form);
        work(2, 1, 0, 2);
        Future<String> succeeded = threads.submit(successor::run);

        assertThat(get(succeeded)).isEqualTo(YIELD);
        assertThat(get(survived)).isEqualTo(YIELD);
        assertThat(survivor.entered).containsExactly(0, 1, 2);
        requireBegin(successor, loop, step);
    }

    /** A loop that had ended on all ranks but the one that died may have ended or not. */
    private static int requireBegin(Program successor, int loop, int step) {
        int begun = successor.entered.get(0);
        assertThat(begun).isBetween(loop, step == STEPS ? loop + 1 : loop);
        assertThat(successor.entered)
                .containsExactlyElementsOf(IntStream.range(begun, LOOPS).boxed().toList());
        return begun;
    }

    @ParameterizedTest
    @EnumSource(names = {"WHOLE", "STREAMED"})
    void allDie_theNewProcessContinuesFromTheFilesOfTheNode(Form form) throws Exception {
        Program first = new Program(alone("a", 1), form).diesIn(1, 2);
        assertThatThrownBy(first::run).hasMessage("killed");

        Program second = new Program(alone("a", 2), form);
        assertThat(second.run()).isEqualTo(YIELD);
        assertThat(second.entered).containsExactly(1, 2);
    }

    @Test
    void marker_newerCheckpointsAreLost_aProcessDoesNotGoBack() {
        LoopMarker marker = new LoopMarker();
        assertThat(marker.isAtBegin(Optional.empty())).isTrue();
        assertThat(marker.isAtBegin(Optional.of(new LoopMark(1, false)))).isFalse();
        marker.begin(2);
        assertThat(marker.isAtBegin(Optional.of(new LoopMark(1, true)))).isTrue();
        assertThat(marker.isAtBegin(Optional.of(new LoopMark(2, false)))).isFalse();
        assertThat(marker.isPast(Optional.of(new LoopMark(2, false)))).isFalse();
        assertThat(marker.isPast(Optional.of(new LoopMark(2, true)))).isTrue();
        assertThat(marker.isPast(Optional.of(new LoopMark(3, false)))).isTrue();
        for (Optional<LoopMark> older : List.of(Optional.<LoopMark>empty(), Optional.of(new LoopMark(1, false)))) {
            assertThatThrownBy(() -> marker.isAtBegin(older))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("loop 1")
                    .hasMessageContaining("in loop 2");
        }
    }

    @Test
    void checkpointOfAnotherKindOfState_isRefused() throws Exception {
        WorkerRuntime worker = alone("a", 1);
        worker.join().checkpoint(new byte[100]);
        agents.get(0).pause(1);
        agents.get(0).peers(2, 1);
        agents.get(0).work(2, 0, 1);
        assertThatThrownBy(new Program(worker, Form.WHOLE)::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("acrossLoops");
    }

    private WorkerRuntime alone(String name, long round) throws IOException {
        TestAgent agent = new TestAgent(node.resolve(name), (int) round);
        agents.add(agent);
        agent.peers(round, 1);
        agent.work(round, 0, 1);
        return runtime(agent.environment());
    }

    private WorkerRuntime start(String name) throws IOException {
        return start(name, false);
    }

    private WorkerRuntime start(String name, boolean replacesWorkers) throws IOException {
        TestAgent agent = new TestAgent(node.resolve(name), 0);
        agents.add(agent);
        agent.pause(0);
        Map<String, String> environment = new HashMap<>(agent.environment());
        environment.put(WorkerEnv.REPLACES_WORKERS, Boolean.toString(replacesWorkers));
        WorkerRuntime worker = runtime(environment);
        worker.ready();
        await().until(() -> agent.up(UpMessage.Ready.class).size() == 1);
        return worker;
    }

    private WorkerRuntime runtime(Map<String, String> environment) {
        WorkerRuntime runtime = WorkerRuntime.start(environment);
        runtimes.add(runtime);
        return runtime;
    }

    /** @param members by rank, which agent */
    private void work(long round, long world, int... members) throws IOException {
        int[] ports = Arrays.stream(members)
                .map(member ->
                        agents.get(member).up(UpMessage.Ready.class).get(0).port())
                .toArray();
        for (int rank = 0; rank < members.length; rank++) {
            agents.get(members[rank]).peers(round, ports);
            agents.get(members[rank]).work(round, world, rank, members.length);
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("the program failed", e.getCause());
        }
    }
}
