/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.process.ResourceLimits;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LimitVerdictTest {
    private static final long GIB = 1L << 30;
    private static final ResourceLimits NONE =
            new ResourceLimits(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.empty());

    private static NodeLoad workers(int workers) {
        return new NodeLoad(workers, workers, OptionalLong.empty(), OptionalLong.empty());
    }

    private static NodeLoad heaps(int workers, long bytes) {
        return new NodeLoad(workers, workers, OptionalLong.of(bytes), OptionalLong.empty());
    }

    @ParameterizedTest
    @CsvSource({"50, ERROR", "200, WARNING", "1024, OK"})
    void openFiles_byLimit(long limit, Health expected) {
        assertThat(LimitVerdict.openFiles(OptionalLong.of(limit), workers(4)).health())
                .isEqualTo(expected);
    }

    @Test
    void openFiles_ofAWorker_growWithTheWorld() {
        NodeLoad wide = new NodeLoad(1, 2000, OptionalLong.empty(), OptionalLong.empty());

        Check check = LimitVerdict.openFiles(OptionalLong.of(1024), wide);

        assertThat(check.health()).isEqualTo(Health.WARNING);
        assertThat(check.advice()).contains("2256");
    }

    @ParameterizedTest
    @CsvSource({"60, ERROR", "120, WARNING", "200, OK"})
    void processes_byLimit(long limit, Health expected) {
        assertThat(LimitVerdict.processes(OptionalLong.of(limit), workers(4)).health())
                .isEqualTo(expected);
    }

    @Test
    void limits_thatAreNotSet_areOk() {
        assertThat(LimitVerdict.openFiles(OptionalLong.empty(), workers(4)).health())
                .isEqualTo(Health.OK);
        assertThat(LimitVerdict.groupProcesses(NONE, workers(4)).found()).isEqualTo("no limit");
        assertThat(LimitVerdict.processors(NONE, 4, workers(4)).found()).isEqualTo("4");
    }

    @Test
    void memory_ofHeapsThatDoNotFit_isAWarning() {
        ResourceLimits limits =
                new ResourceLimits(OptionalLong.of(4 * GIB), OptionalDouble.empty(), OptionalLong.empty());

        assertThat(LimitVerdict.memory(limits, 64 * GIB, heaps(2, GIB)).health())
                .isEqualTo(Health.OK);
        Check check = LimitVerdict.memory(limits, 64 * GIB, heaps(4, GIB));
        assertThat(check.health()).isEqualTo(Health.WARNING);
        assertThat(check.found()).isEqualTo("4.0 GiB by the control group, less than 4 heaps of 1.0 GiB");
        assertThat(check.advice()).contains("-Xmx");
    }

    @Test
    void memory_withoutALimit_isThatOfTheMachine() {
        assertThat(LimitVerdict.memory(NONE, 8 * GIB, heaps(2, GIB)).found()).isEqualTo("8.0 GiB of the machine");
    }

    @Test
    void memory_ofJvmsWithoutALimitOfTheirHeaps_isAQuarterEach() {
        assertThat(LimitVerdict.memory(NONE, 8 * GIB, workers(3)).health()).isEqualTo(Health.OK);
        assertThat(LimitVerdict.memory(NONE, 8 * GIB, workers(4)).health()).isEqualTo(Health.WARNING);
    }

    @Test
    void processors_ofAQuota_areThoseOfIt() {
        ResourceLimits half = new ResourceLimits(OptionalLong.empty(), OptionalDouble.of(1.5), OptionalLong.empty());

        Check check = LimitVerdict.processors(half, 2, workers(2));

        assertThat(check.health()).isEqualTo(Health.WARNING);
        assertThat(check.found()).isEqualTo("time of 1.5 for 2 workers");
    }

    @Test
    void load_ofAConfiguration_hasItsWorkersAndHeaps() {
        LaunchConfig config = LaunchConfig.builder("/bin/sh")
                .nnodes(1, 3)
                .nprocPerNode(4)
                .runId("r")
                .javaOpts(List.of("-Xmx1g", "-XX:+UseSerialGC", "-Xmx64M"))
                .build();

        NodeLoad load = NodeLoad.of(config, OptionalLong.of(7));

        assertThat(load).isEqualTo(new NodeLoad(4, 12, OptionalLong.of(64L << 20), OptionalLong.of(7)));
        assertThat(load.stateBytes()).isEqualTo(21);
    }

    @Test
    void ownLimits_areReadFromTheTableOfTheKernel() {
        String table = """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             unlimited            unlimited            processes
                Max open files            1024                 1048576              files
                """;

        assertThat(ProcessLimits.of(table)).isEqualTo(new ProcessLimits(OptionalLong.of(1024), OptionalLong.empty()));
        assertThat(ProcessLimits.ofThisProcess().openFiles()).isPresent();
    }
}
