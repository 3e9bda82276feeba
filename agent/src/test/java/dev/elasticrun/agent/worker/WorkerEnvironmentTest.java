/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerEnvironmentTest {
    /** Which these are is in the table; SettingsTest has values. */
    private static final Map<String, String> SETTINGS = SettingValues.DEFAULTS.toWorkers();

    @TempDir
    private Path logs;

    @Test
    void hard_everyVariable_isThere() {
        Round round = RoundFixture.round(7)
                .with("b", 0, 1)
                .with("a", 0, 2)
                .master("10.0.0.9", 5100)
                .build();

        Map<String, String> environment =
                environment(Map.of("PATH", "/bin"), WorkerInfos.of(round, "a", 1, rank -> Map.of("ID", "r" + rank)));

        assertThat(environment).containsAllEntriesOf(SETTINGS);
        environment.keySet().removeAll(SETTINGS.keySet());
        assertThat(environment)
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("PATH", "/bin"),
                        Map.entry("MINE", "1"),
                        Map.entry("RANK", "2"),
                        Map.entry("WORLD_SIZE", "3"),
                        Map.entry("LOCAL_RANK", "1"),
                        Map.entry("LOCAL_WORLD_SIZE", "2"),
                        Map.entry("ROLE_RANK", "2"),
                        Map.entry("ROLE_WORLD_SIZE", "3"),
                        Map.entry("GROUP_RANK", "1"),
                        Map.entry("GROUP_WORLD_SIZE", "2"),
                        Map.entry("MASTER_ADDR", "10.0.0.9"),
                        Map.entry("MASTER_PORT", "5100"),
                        Map.entry("ID", "r2"),
                        Map.entry("ELASTIC_RUN_ID", "demo"),
                        Map.entry("ELASTIC_ROUND", "7"),
                        Map.entry("ELASTIC_RESTART_COUNT", "1"),
                        Map.entry("ELASTIC_MAX_RESTARTS", "3"),
                        Map.entry("ELASTIC_BIND_ADDR", "127.0.0.1"),
                        Map.entry("ELASTIC_PORT_RANGE", "7000-7009"),
                        Map.entry("ELASTIC_CHECKPOINT_DISK", "/tmp/checkpoint"),
                        Map.entry("TMPDIR", "/tmp/of-worker"),
                        Map.entry("ELASTIC_CHANNEL_DIR", "/run/workers/1.4"),
                        Map.entry("ELASTIC_ERROR_FILE", "/logs/error.json"),
                        Map.entry("OMP_NUM_THREADS", "1"),
                        Map.entry("TORCHELASTIC_RUN_ID", "demo"),
                        Map.entry("TORCHELASTIC_RESTART_COUNT", "1"),
                        Map.entry("TORCHELASTIC_MAX_RESTARTS", "3"),
                        Map.entry("TORCHELASTIC_ERROR_FILE", "/logs/error.json"),
                        Map.entry("TORCHELASTIC_USE_AGENT_STORE", "False")));
    }

    @Test
    void soft_staleRankOfTheAgent_isRemoved() {
        Map<String, String> environment = environment(
                Map.of("RANK", "3", "WORLD_SIZE", "8", "MASTER_ADDR", "old", "MASTER_PORT", "1", "ELASTIC_ROUND", "9"),
                null);

        environment.keySet().removeAll(SETTINGS.keySet());
        assertThat(environment)
                .containsOnlyKeys(
                        "MINE",
                        "LOCAL_RANK",
                        "LOCAL_WORLD_SIZE",
                        "ELASTIC_RUN_ID",
                        "ELASTIC_RESTART_COUNT",
                        "ELASTIC_MAX_RESTARTS",
                        "ELASTIC_BIND_ADDR",
                        "ELASTIC_PORT_RANGE",
                        "ELASTIC_CHECKPOINT_DISK",
                        "ELASTIC_REPLACES_WORKERS",
                        "TMPDIR",
                        "ELASTIC_CHANNEL_DIR",
                        "ELASTIC_ERROR_FILE",
                        "OMP_NUM_THREADS",
                        "TORCHELASTIC_RUN_ID",
                        "TORCHELASTIC_RESTART_COUNT",
                        "TORCHELASTIC_MAX_RESTARTS",
                        "TORCHELASTIC_ERROR_FILE",
                        "TORCHELASTIC_USE_AGENT_STORE");
    }

    @Test
    void threads_ofTheUser_stay() {
        assertThat(environment(Map.of("OMP_NUM_THREADS", "5"), null)).containsEntry("OMP_NUM_THREADS", "5");
    }

    @Test
    void virtualLocalRank_eachWorker_hasOneGpu() {
        LaunchConfig config = LaunchConfig.builder("true")
                .logDir(logs)
                .nprocPerNode(2)
                .set(Settings.VIRTUAL_LOCAL_RANK, true)
                .build();
        Map<String, String> environment = new TreeMap<>(Map.of("LOCAL_RANK", "1"));

        TorchEnvironment.add(environment, config, 3, List.of("4", "7"));

        assertThat(environment).containsEntry("LOCAL_RANK", "0").containsEntry("CUDA_VISIBLE_DEVICES", "7");
    }

    private Map<String, String> environment(Map<String, String> inherited, @Nullable WorkerInfo info) {
        LaunchConfig config = LaunchConfig.builder("true")
                .logDir(logs)
                .nprocPerNode(2)
                .environment(Map.of("MINE", "1"))
                .build();
        return WorkerEnvironment.of(
                inherited,
                config,
                ListenPlace.LOOPBACK.withPorts("7000-7009"),
                List.of(),
                "demo",
                1,
                1,
                3,
                info == null,
                ChannelLayout.of(Path.of("/run"), 1, 4),
                Path.of("/tmp/of-worker"),
                Optional.of(Path.of("/tmp/checkpoint")),
                Path.of("/logs/error.json"),
                info);
    }
}
