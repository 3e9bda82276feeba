/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CpusTest {
    @TempDir
    private Path directory;

    /** Two sockets of two cores of two threads, numbered as Linux does: siblings are half of all apart. */
    private Cpus machine(String allowed) throws IOException {
        for (int cpu = 0; cpu < 8; cpu++) {
            Path topology = Files.createDirectories(directory.resolve("cpu/cpu" + cpu + "/topology"));
            Files.writeString(topology.resolve("thread_siblings_list"), cpu % 4 + "," + (cpu % 4 + 4) + "\n");
        }
        Files.writeString(
                Files.createDirectories(directory.resolve("node/node0")).resolve("cpulist"), "0-1,4-5\n");
        Files.writeString(
                Files.createDirectories(directory.resolve("node/node1")).resolve("cpulist"), "2-3,6-7\n");
        Files.createDirectories(directory.resolve("node/power"));
        Path status = Files.writeString(directory.resolve("status"), "Name:\tx\nCpus_allowed_list:\t" + allowed + "\n");
        return Cpus.read(directory, status);
    }

    @Test
    void read_wholeMachine_coresOfANodeAreBesideEachOther() throws IOException {
        Cpus cpus = machine("0-7");

        assertThat(cpus.cores()).containsExactly(List.of(0, 4), List.of(1, 5), List.of(2, 6), List.of(3, 7));
        assertThat(cpus.nodes()).containsExactly(List.of(0, 1, 4, 5), List.of(2, 3, 6, 7));
    }

    @Test
    void read_partOfTheMachine_isAllThereIs() throws IOException {
        Cpus cpus = machine("1,3,7");

        assertThat(cpus.cores()).containsExactly(List.of(1), List.of(3, 7));
        assertThat(cpus.nodes()).containsExactly(List.of(1), List.of(3, 7));
        assertThat(machine("2").nodes()).containsExactly(List.of(2));
    }

    @Test
    void ofCores_workers_shareThemOutAndNoneIsIdle() throws IOException {
        Cpus cpus = machine("0-7");

        assertThat(cpus.ofCores(0, 1)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(cpus.ofCores(0, 2)).containsExactly(0, 1, 4, 5);
        assertThat(cpus.ofCores(0, 3)).containsExactly(0, 4);
        assertThat(cpus.ofCores(1, 3)).containsExactly(1, 5);
        assertThat(cpus.ofCores(2, 3)).containsExactly(2, 3, 6, 7);
        assertThat(cpus.ofCores(3, 4)).containsExactly(3, 7);
    }

    @Test
    void ofNode_workers_areSpreadOverTheNodes() throws IOException {
        Cpus cpus = machine("0-7");

        assertThat(cpus.ofNode(0, 4)).containsExactly(0, 1, 4, 5);
        assertThat(cpus.ofNode(1, 4)).containsExactly(0, 1, 4, 5);
        assertThat(cpus.ofNode(3, 4)).containsExactly(2, 3, 6, 7);
        assertThat(cpus.ofNode(0, 1)).containsExactly(0, 1, 4, 5);
    }

    @Test
    void read_systemThatReportsNothing_isOneNodeOfSingleThreads() throws IOException {
        Path status = Files.writeString(directory.resolve("status"), "Cpus_allowed_list:\t0-1\n");
        Cpus cpus = Cpus.read(directory.resolve("nothing"), status);

        assertThat(cpus.cores()).containsExactly(List.of(0), List.of(1));
        assertThat(cpus.nodes()).containsExactly(List.of(0, 1));
    }
}
