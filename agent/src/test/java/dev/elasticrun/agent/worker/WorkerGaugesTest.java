/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.proto.Metric;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.HeartbeatWriter;
import dev.elasticrun.worker.contract.MetricWriter;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class WorkerGaugesTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong(5 * SECOND);
    private WorkerGauges gauges;

    @BeforeEach
    void worker() throws IOException {
        Files.createDirectory(directory.resolve("77"));
        Files.writeString(directory.resolve("77/status"), "Name:\tjava\nVmRSS:\t  2048 kB\n");
        gauges = new WorkerGauges(new ProcessUse.Places(directory, directory.resolve("jvms")), nanos::get);
        gauges.add(0, 1, new ChannelLayout(directory), 77);
    }

    @Test
    void read_programThatReportsNothing_hasItsMemoryOnly() {
        assertThat(gauge())
                .isEqualTo(
                        LiveStatus.UNKNOWN.toBuilder().setMemoryBytes(2 << 20).build());
    }

    @Test
    void read_processorTime_isThatOfTheKernel() throws IOException {
        Files.writeString(directory.resolve("77/stat"), "77 (a) b) S 1 77 77 0 -1 0 9 9 9 9 250 30 7 7 20 0 9 0\n");

        assertThat(gauge().getCpuMillis()).isEqualTo(2800);
        assertThat(gauge().hasCollectionMillis()).isFalse();
    }

    @Test
    void read_thisProcess_hasWhatItUses() {
        WorkerGauges own = new WorkerGauges(ProcessUse.Places.standard(), nanos::get);
        own.add(0, 0, new ChannelLayout(directory), ProcessHandle.current().pid());
        System.gc();

        WorkerStatus use = own.read().getOrDefault(new WorkerGauges.Key(0, 0), LiveStatus.UNKNOWN);
        assertThat(use.getCpuMillis()).isPositive();
        assertThat(use.getCollectionMillis()).isPositive();
    }

    @Test
    void read_programThatOnlyMakesCheckpoints_takesAStepWithEach() throws IOException {
        HeartbeatWriter worker = HeartbeatWriter.create(directory.resolve("heartbeat"));
        for (int version = 1; version <= 3; version++) {
            worker.version(version);
            worker.beat();
            gauge();
            nanos.addAndGet(2 * SECOND);
        }

        assertThat(gauge().getStepsPerSecond()).isCloseTo(0.5, within(0.2));
    }

    @Test
    @Timeout(10)
    void read_heartbeatIsAPipe_doesNotWaitForIt() throws Exception {
        Process made = new ProcessBuilder(
                        "mkfifo", directory.resolve("heartbeat").toString())
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();

        assertThat(gauge().getStillMillis()).isEqualTo(-1);
        gauges.remove(0, 1);
    }

    @Test
    void read_askedTwice_knowsTheRate() throws IOException {
        HeartbeatWriter worker = HeartbeatWriter.create(directory.resolve("heartbeat"));
        worker.beat(10);
        assertThat(gauge().getStepsPerSecond()).isNegative();

        nanos.addAndGet(2 * SECOND);
        worker.beat(30);
        worker.section("load", 0);

        assertThat(gauge().getStepsPerSecond()).isCloseTo(10, within(0.01));
        assertThat(gauge().getStep()).isEqualTo(30);
        assertThat(gauge().getSection()).isEqualTo("load");
        assertThat(gauge().getStillMillis()).isZero();
    }

    @Test
    void read_programThatPublishesMetrics_hasThemInTheirOrder() throws IOException {
        MetricWriter worker = MetricWriter.create(directory.resolve("metrics"));
        worker.put("loss", 0.5);
        worker.put("accuracy", Double.NaN);
        worker.put("loss", 0.25);

        assertThat(gauge().getMetricsList())
                .containsExactly(
                        Metric.newBuilder().setName("loss").setValue(0.25).build(),
                        Metric.newBuilder()
                                .setName("accuracy")
                                .setValue(Double.NaN)
                                .build());
    }

    @Test
    void metrics_ofAnEndedWorker_areThoseOfItsEnd() throws IOException {
        RunEvent.Worker ended = new RunEvent.Worker(0, 1);
        MetricWriter worker = MetricWriter.create(directory.resolve("metrics"));
        worker.put("loss", 0.5);
        gauge();
        worker.put("loss", 0.125);
        worker.put("ratio", Double.POSITIVE_INFINITY);
        HeartbeatWriter.create(directory.resolve("heartbeat")).beat(7);

        gauges.remove(0, 1);

        assertThat(gauges.metrics(ended))
                .containsExactly(
                        new RunEvent.WorkerMetric(ended, 7, "loss", Optional.of(0.125)),
                        new RunEvent.WorkerMetric(ended, 7, "ratio", Optional.empty()));
        assertThat(gauges.metrics(new RunEvent.Worker(3, 0))).isEmpty();
    }

    @Test
    void read_noProgress_reportsForHowLong() throws IOException {
        HeartbeatWriter.create(directory.resolve("heartbeat")).beat(10);
        gauge();

        nanos.addAndGet(7 * SECOND);

        assertThat(gauge().getStillMillis()).isEqualTo(7000);
    }

    @Test
    void read_shortlyAfterTheLast_readsNoFile() throws IOException {
        gauge();
        Files.delete(directory.resolve("77/status"));
        assertThat(gauge().getMemoryBytes()).isEqualTo(2 << 20);

        nanos.addAndGet(SECOND);

        assertThat(gauge().getMemoryBytes()).isZero();
    }

    @Test
    void reported_progressAndCheckpoints_areKept() {
        gauges.report(0, 1, new UpMessage.Progress(4, 100, 2));
        gauges.report(0, 1, new UpMessage.Committed(3));
        assertThat(gauge())
                .isEqualTo(LiveStatus.UNKNOWN.toBuilder()
                        .setStep(4)
                        .setTotal(100)
                        .setVersion(3)
                        .setMemoryBytes(2 << 20)
                        .build());

        gauges.report(0, 1, new UpMessage.Resumed(7, 2, 0, 0, 0));

        assertThat(gauge().getVersion()).as("goes on from an earlier one").isEqualTo(2);
    }

    @Test
    void reported_byAWorkerThatEnded_isIgnored() {
        gauges.remove(0, 1);

        gauges.report(0, 1, new UpMessage.Committed(3));

        assertThat(gauge().getVersion()).isZero();
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void read_fileOfTheKernelIsSlow_othersDoNotWait_andTheEndOfTheWorkerCounts() throws Exception {
        Path slow = directory.resolve("77/status");
        Files.delete(slow);
        assertThat(new ProcessBuilder("mkfifo", slow.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        MetricWriter program = MetricWriter.create(directory.resolve("metrics"));
        program.put("loss", 2);
        CompletableFuture<Map<WorkerGauges.Key, WorkerStatus>> read = CompletableFuture.supplyAsync(gauges::read);
        // Opens when it is being read.
        try (OutputStream kernel = Files.newOutputStream(slow)) {
            gauges.report(0, 1, new UpMessage.Progress(7, 10, 0));
            program.put("loss", 1);
            gauges.remove(0, 1);
            assertThat(read).isNotDone();
            kernel.write("VmRSS:\t  2048 kB\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(read.get().get(new WorkerGauges.Key(0, 1)))
                .extracting(
                        WorkerStatus::getStep, worker -> worker.getMetrics(0).getValue())
                .containsExactly(7L, 1.0);
    }

    private WorkerStatus gauge() {
        Map<WorkerGauges.Key, WorkerStatus> all = gauges.read();
        return all.getOrDefault(new WorkerGauges.Key(0, 1), LiveStatus.UNKNOWN);
    }
}
