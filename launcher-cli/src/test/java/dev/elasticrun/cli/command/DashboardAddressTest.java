/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LocalRuns.LocalRun;
import dev.elasticrun.agent.store.RunFile;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DashboardAddressTest {
    private static final LocalRun WITHOUT = agent("");
    private static final LocalRun WITH = agent("http://127.0.0.1:8080/");

    @Test
    void of_theAgentThatServesAPage_hasTheKeyBehindTheFragment() {
        assertThat(DashboardAddress.of(List.of(WITHOUT, WITH), true)).contains("http://127.0.0.1:8080/#key=0aff");
        assertThat(DashboardAddress.of(List.of(WITHOUT, WITH), false)).contains("http://127.0.0.1:8080/");
    }

    @Test
    void of_nobodyServesAPage_isEmpty() {
        assertThat(DashboardAddress.of(List.of(WITHOUT), true)).isEmpty();
    }

    private static LocalRun agent(String dashboard) {
        RunFile file = new RunFile(
                "job", "0011", "host-1", List.of(), "127.0.0.1:1", "", new RunFile.Served(dashboard, ""), null);
        return new LocalRun(file, new byte[] {0x0a, (byte) 0xff});
    }
}
