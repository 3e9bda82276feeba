/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that elastic-run did not start, as the test itself is none. */
@Timeout(30)
final class LocalWorldTest {
    /** A counter, and how often it was added up. */
    private static final class Model implements Snapshotable {
        private long sum;
        private int steps;

        @Override
        public byte[] save() {
            return ByteBuffer.allocate(12).putLong(sum).putInt(steps).array();
        }

        @Override
        public void restore(byte[] state) {
            ByteBuffer saved = ByteBuffer.wrap(state);
            sum = saved.getLong();
            steps = saved.getInt();
        }
    }

    @Test
    void loops_oneAfterTheOther_areEachAWorldOfOne_andLeaveNothing() throws Exception {
        Set<Path> before = directories();
        for (int fold = 1; fold <= 3; fold++) {
            Model model = new Model();
            long value = fold;
            ElasticState state = ElasticState.of(model);

            ElasticLoop.run(state, collective -> {
                assertThat(collective.rank()).isZero();
                assertThat(collective.worldSize()).isOne();
                while (model.steps < 5) {
                    long[] sum = {value};
                    collective.allReduce(sum, ReduceOp.SUM);
                    model.sum += sum[0];
                    model.steps++;
                    ElasticRuntime.progress(model.steps, 5);
                    ElasticRuntime.metric("sum", (double) model.sum);
                    state.commit();
                }
            });

            assertThat(model.sum).isEqualTo(5L * fold);
            assertThat(directories()).isEqualTo(before);
        }
    }

    @Test
    void loopsOfOneState_areInOneWorld_whichEndsWhenAnotherStateBegins() throws Exception {
        Set<Path> before = directories();
        Model model = new Model();
        ElasticState state = ElasticState.of(model).acrossLoops();
        for (int fold = 1; fold <= 3; fold++) {
            model.steps = 0;
            ElasticLoop.run(state, collective -> {
                while (model.steps < 5) {
                    model.sum++;
                    model.steps++;
                    state.commit();
                }
            });
            assertThat(state.version()).isEqualTo(6L * fold);
            assertThat(directories()).hasSize(before.size() + 1);
        }
        assertThat(model.sum).isEqualTo(15);

        ElasticLoop.run(ElasticState.of(new Model()), collective -> assertThat(collective.version())
                .isZero());
        assertThat(directories()).isEqualTo(before);
    }

    @Test
    void info_isThatOfTheOnlyWorker_andNothingIsLeft() throws Exception {
        Set<Path> before = directories();
        WorkerRuntime alone = WorkerRuntime.start(Map.of());
        try {
            Collective collective = alone.join();
            WorkerInfo info = alone.info();
            byte[] values = {7};
            collective.broadcast(values, 0);
            assertThat(info.rank()).isZero();
            assertThat(info.worldSize()).isOne();
            assertThat(info.localWorldSize()).isOne();
            assertThat(alone.isPaused()).isFalse();
            assertThat(alone.isChanged(info.round())).isFalse();
            assertThat(directories()).hasSize(before.size() + 1);
            collective.close();
        } finally {
            alone.close();
        }

        assertThat(directories()).isEqualTo(before);
    }

    @Test
    void t2_noAgent_aSectionChangesNothing() {
        WorkerRuntime alone = WorkerRuntime.start(Map.of());
        try {
            try (Section section = alone.progress().open("load", Duration.ofSeconds(1))) {
                assertThat(section.name()).isEqualTo("load");
                assertThat(alone.isPaused()).isFalse();
            }
        } finally {
            alone.close();
        }
    }

    private static Set<Path> directories() throws IOException {
        try (Stream<Path> found = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return found.filter(path -> path.getFileName().toString().startsWith("elastic-run-local-"))
                    .collect(Collectors.toSet());
        }
    }
}
