/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which members of a store commands ask. */
@Tag("once")
@Timeout(60)
final class RemoteRunsIT {
    @TempDir
    Path directory;

    @Test
    void find_onlyTheLastEndpointAnswers_asksThatOne() throws IOException {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("data"))) {
            List<String> endpoints =
                    List.of("127.0.0.1:" + FreePort.find(), "127.0.0.1:" + FreePort.find(), etcd.endpoint());

            assertThat(RemoteRuns.find(wanted(endpoints))).isEmpty();
        }
    }

    @Test
    void find_noEndpointAnswers_namesThemAll() throws IOException {
        List<String> endpoints = List.of("127.0.0.1:" + FreePort.find(), "127.0.0.1:" + FreePort.find());

        assertThatThrownBy(() -> RemoteRuns.find(wanted(endpoints)))
                .isInstanceOf(LaunchConfigException.class)
                .hasMessageContaining("--rdzv-endpoint: " + String.join(",", endpoints));
    }

    private static RemoteRuns.Wanted wanted(List<String> endpoints) {
        return new RemoteRuns.Wanted(
                SettingValues.DEFAULTS.with(Settings.RUN_ID, "no-such-run").with(Settings.RDZV_ENDPOINT, endpoints));
    }
}
