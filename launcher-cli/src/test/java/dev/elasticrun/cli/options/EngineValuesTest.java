/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.launch.LaunchConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Environments as engines gave them, recorded; names of hosts changed. */
final class EngineValuesTest {
    private static final Map<String, String> ARRAY_ELEMENT = Map.ofEntries(
            Map.entry("SLURM_JOB_ID", "9"),
            Map.entry("SLURM_ARRAY_JOB_ID", "7"),
            Map.entry("SLURM_ARRAY_TASK_ID", "2"),
            Map.entry("SLURM_ARRAY_TASK_COUNT", "4"),
            Map.entry("SLURM_NODEID", "0"),
            Map.entry("SLURM_PROCID", "0"),
            Map.entry("SLURM_JOB_NUM_NODES", "1"),
            Map.entry("SLURM_JOB_NODELIST", "n3"),
            Map.entry("SLURMD_NODENAME", "n3"),
            Map.entry("SLURM_CPUS_ON_NODE", "4"),
            Map.entry("SLURM_RESTART_COUNT", "1"),
            Map.entry("SLURM_LAUNCH_NODE_IPADDR", "127.0.0.1"),
            Map.entry("SLURM_JOB_PARTITION", "spot"));

    private static final Map<String, String> TASK_OF_A_JOB = Map.ofEntries(
            Map.entry("SLURM_JOB_ID", "5"),
            Map.entry("SLURM_STEP_ID", "0"),
            Map.entry("SLURM_NODEID", "1"),
            Map.entry("SLURM_PROCID", "1"),
            Map.entry("SLURM_JOB_NUM_NODES", "2"),
            Map.entry("SLURM_JOB_NODELIST", "n[1-2]"),
            Map.entry("SLURMD_NODENAME", "n2"),
            Map.entry("SLURM_GPUS_ON_NODE", "4"));

    private static final Map<String, String> POD = Map.ofEntries(
            Map.entry("KUBERNETES_SERVICE_HOST", "10.96.0.1"),
            Map.entry("KUBERNETES_SERVICE_PORT", "443"),
            Map.entry("JOB_COMPLETION_INDEX", "3"),
            Map.entry("JOBSET_NAME", "train"),
            Map.entry("POD_IP", "10.1.2.3"));

    private static final Map<String, String> POD_OF_TRAINER = Map.ofEntries(
            Map.entry("KUBERNETES_SERVICE_HOST", "10.96.0.1"),
            Map.entry("PET_NNODES", "4"),
            Map.entry("PET_NPROC_PER_NODE", "2"),
            Map.entry("PET_NODE_RANK", "1"),
            Map.entry("PET_MASTER_ADDR", "job-node-0-0.job"),
            Map.entry("PET_MASTER_PORT", "29500"),
            Map.entry("JOB_COMPLETION_INDEX", "1"));

    private static final String MEETS = "--rdzv-endpoint etcd:2379 ";

    @Test
    void slurm_elementOfAnArray_isANodeOfTheRunOfTheArray() {
        LaunchConfig config = parse(MEETS, ARRAY_ELEMENT);

        assertThat(config.store().runId()).contains("7");
        assertThat(config.size().maxNodes()).isEqualTo(4);
        assertThat(config.store().nodeRank()).contains(2);
        assertThat(config.size().nprocPerNode()).isEqualTo(1);
    }

    @Test
    void slurm_taskOfAJob_isANodeOfTheRunOfTheJob() {
        LaunchConfig config = parse(MEETS, TASK_OF_A_JOB);

        assertThat(config.store().runId()).contains("5.0");
        assertThat(config.store().once()).isTrue();
        assertThat(config.size().maxNodes()).isEqualTo(2);
        assertThat(config.store().nodeRank()).contains(1);
        assertThat(config.size().nprocPerNode()).isEqualTo(4);
    }

    @Test
    void kubernetes_pod_hasItsAddress() {
        LaunchConfig config = parse(MEETS, POD);

        assertThat(config.store().runId()).contains("train");
        assertThat(config.store().localAddr()).contains("10.1.2.3");
        assertThat(config.store().nodeRank()).contains(3);
    }

    @Test
    void kubernetes_podOfTrainer_isThatOfTorchrunsVariables() {
        LaunchConfig config = parse("", POD_OF_TRAINER);

        assertThat(config.size().maxNodes()).isEqualTo(4);
        assertThat(config.size().nprocPerNode()).isEqualTo(2);
        assertThat(config.store().endpoints()).containsExactly("job-node-0-0.job:29500");
        assertThat(config.store().nodeRank()).contains(1);
    }

    @Test
    void flagsVariablesAndFiles_areStronger() {
        Map<String, String> environment = new HashMap<>(ARRAY_ELEMENT);
        environment.put("PET_NNODES", "2:3");

        LaunchConfig config = parse(MEETS + "--run-id mine ", environment);

        assertThat(config.store().runId()).contains("mine");
        assertThat(config.store().once()).isFalse();
        assertThat(config.size().minNodes()).isEqualTo(2);
        assertThat(config.size().maxNodes()).isEqualTo(3);
    }

    @Test
    void withoutAPlaceToMeet_aNodeIsAlone() {
        LaunchConfig config = parse("", ARRAY_ELEMENT);

        assertThat(config.store().runId()).isEmpty();
        assertThat(config.size().maxNodes()).isEqualTo(1);
        assertThat(parse(MEETS + "--standalone ", ARRAY_ELEMENT).size().maxNodes())
                .isEqualTo(1);
    }

    @Test
    void engineNone_readsNothing() {
        assertThat(parse(MEETS + "--engine none --run-id x ", POD).store().localAddr())
                .isEmpty();
        assertThat(parse(MEETS + "--engine slurm --run-id x ", POD).store().localAddr())
                .isEmpty();
    }

    @Test
    void engineUnknown_isNamed() {
        assertThatThrownBy(() -> parse("--engine yarn ", POD))
                .isInstanceOf(UsageException.class)
                .hasMessage("--engine: yarn (expected: auto, none, slurm or kubernetes)");
    }

    @Test
    void printConfig_namesEngineAndVariable() {
        String printed = LaunchOptions.parse(words(MEETS + "--print-config "), ARRAY_ELEMENT)
                .printed()
                .orElseThrow();

        assertThat(printed).containsPattern("run-id: 7 +# engine slurm, variable SLURM_ARRAY_JOB_ID");
    }

    @Test
    void wrongValue_isNamedByItsVariable() {
        Map<String, String> environment = new HashMap<>(TASK_OF_A_JOB);
        environment.put("SLURM_GPUS_ON_NODE", "some");

        assertThatThrownBy(() -> parse(MEETS, environment))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("SLURM_GPUS_ON_NODE: some (expected: ");
    }

    private static LaunchConfig parse(String flags, Map<String, String> environment) {
        List<String> line = new ArrayList<>(words(flags));
        line.add("/bin/true");
        return LaunchOptions.parse(line, environment).config().orElseThrow();
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split(" +"));
    }
}
