/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.proto.Curve;
import dev.elasticrun.proto.Metric;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.WorkerCurves;
import dev.elasticrun.proto.WorkerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CurveLogTest {
    private static final int PERIOD = 5000;

    private final CurveLog curves = new CurveLog(PERIOD);

    @Test
    void add_eachPeriod_keepsWhatWorkersDid() {
        add(0, worker(3, 10).setCpuMillis(100));
        add(1, worker(3, 12).setCpuMillis(5100).setCollectionMillis(20));
        add(2, worker(2, 14).setCpuMillis(7600).setCollectionMillis(70));

        NodeCurves all = curves.read(99);
        WorkerCurves only = all.getWorkers(0);
        assertThat(all.getNowMillis()).isEqualTo(99);
        assertThat(all.getMillisList()).containsExactly(0L, 5000L, 10_000L);
        assertThat(only.getRanksList()).containsExactly(3, 3, 2);
        assertThat(values(only.getCurvesList(), "speed")).containsExactly(10f, 12f, 14f);
        assertThat(values(only.getCurvesList(), "cpu")).containsExactly(Float.NaN, 1f, 0.5f);
        assertThat(values(only.getCurvesList(), "collection")).containsExactly(Float.NaN, Float.NaN, 0.01f);
        assertThat(values(all.getRunList(), "world")).containsExactly(4f, 4f, 4f);
    }

    @Test
    void add_workerThatIsReplaced_hasNoRateOfItsCountersThen() {
        add(0, worker(0, 10).setCpuMillis(9000));
        add(1, worker(0, 10).setCpuMillis(50));
        add(2, worker(0, 10).setCpuMillis(5050));

        assertThat(values(curves.read(0).getWorkers(0).getCurvesList(), "cpu"))
                .containsExactly(Float.NaN, Float.NaN, 1f);
    }

    @Test
    void add_workerThatIsGone_hasNoRankThen() {
        add(0, worker(0, 10));
        curves.add(PERIOD, List.of(), Map.of());

        assertThat(curves.read(0).getWorkers(0).getRanksList()).containsExactly(0, -1);
    }

    @Test
    void add_forLong_hasAllOfTheRunInTheSameMemory() {
        int looks = 10_000;
        for (int look = 0; look < looks; look++) {
            add(look, worker(0, look).setCpuMillis(look * 2500L));
            assertThat(curves.read(0).getMillisCount()).isLessThanOrEqualTo(CurveLog.MAX_POINTS);
        }

        NodeCurves all = curves.read(0);
        List<Float> cpu = values(all.getWorkers(0).getCurvesList(), "cpu");
        assertThat(all.getMillisCount()).isGreaterThan(CurveLog.MAX_POINTS / 3);
        assertThat(all.getMillis(0)).isLessThan(looks * (long) PERIOD / 50);
        assertThat(all.getMillis(all.getMillisCount() - 1)).isEqualTo((looks - 1L) * PERIOD);
        assertThat(all.getMillisList()).isSorted().doesNotHaveDuplicates();
        assertThat(cpu.subList(1, cpu.size())).containsOnly(0.5f);
    }

    @Test
    void add_programWithManyMetrics_hasTheFirst() {
        List<Metric> many = new ArrayList<>();
        for (int metric = 0; metric < 2 * CurveLog.MAX_METRICS; metric++) {
            many.add(Metric.newBuilder().setName("m" + metric).setValue(metric).build());
        }
        add(0, worker(0, 1).addAllMetrics(many.subList(0, 3)));
        add(1, worker(0, 1).addAllMetrics(many));

        List<Curve> all = curves.read(0).getWorkers(0).getCurvesList();
        assertThat(values(all, "metric:m7")).containsExactly(Float.NaN, 7f);
        assertThat(all)
                .extracting(Curve::getName)
                .filteredOn(name -> name.startsWith("metric:"))
                .hasSize(CurveLog.MAX_METRICS);
    }

    private void add(int look, WorkerStatus.Builder worker) {
        curves.add((long) look * PERIOD, List.of(worker.build()), Map.of("world", 4.0));
    }

    private static WorkerStatus.Builder worker(int rank, double speed) {
        return WorkerStatus.newBuilder().setSlot(1).setRank(rank).setStepsPerSecond(speed);
    }

    private static List<Float> values(List<Curve> curves, String name) {
        return curves.stream()
                .filter(curve -> curve.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValuesList();
    }
}
