/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.cli.options.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentLineTest {
    @TempDir
    Path logs;

    @Test
    void of_lineOfSeveralNodes_getsNameLogsAndRestarts() {
        AgentLine line = line(Map.of(), "--nnodes", "1:2", "--", "sh", "-c", "true");

        assertThat(line.runId()).isEqualTo("chaos-1");
        assertThat(line.logDirectory()).isEqualTo(logs);
        assertThat(line.needsStore()).isTrue();
        assertThat(line.arguments(List.of("--rdzv-endpoint", "h:1")))
                .startsWith("--run-id", "chaos-1", "--log-dir", logs.toString(), "--max-restarts")
                .endsWith("--rdzv-endpoint", "h:1", "--nnodes", "1:2", "--", "sh", "-c", "true");
    }

    @Test
    void of_whatTheLineHas_isNotAdded() {
        AgentLine line =
                line(Map.of("PET_MAX_RESTARTS", "7"), "--run-id=mine", "--nnodes=2", "--rdzv-endpoint=h:1", "--", "sh");

        assertThat(line.runId()).isEqualTo("mine");
        assertThat(line.config().restarts().maxRestarts()).isEqualTo(7);
        assertThat(line.added()).containsExactly("--log-dir", logs.toString());
        assertThat(line.needsStore()).isFalse();
    }

    @Test
    void of_standalone_keepsItsOwnStore() {
        AgentLine line = line(Map.of(), "--standalone", "--", "sh");

        assertThat(line.isStandalone()).isTrue();
        assertThat(line.needsStore()).isFalse();
    }

    @Test
    void of_wrongLine_isReportedAsByTheLaunch() {
        assertThatThrownBy(() -> line(Map.of(), "--nnodes", "x", "--", "sh"))
                .isInstanceOfSatisfying(UsageException.class, e -> assertThat(e.violations())
                        .singleElement()
                        .asString()
                        .startsWith("--nnodes: x (expected: "));
        assertThatThrownBy(() -> line(Map.of()))
                .isInstanceOfSatisfying(UsageException.class, e -> assertThat(e.violations())
                        .singleElement()
                        .asString()
                        .startsWith("LINE: missing (expected: "));
        assertThatThrownBy(() -> line(Map.of(), "--help"))
                .isInstanceOfSatisfying(UsageException.class, e -> assertThat(e.violations())
                        .singleElement()
                        .asString()
                        .startsWith("LINE: --help (expected: "));
    }

    private AgentLine line(Map<String, String> environment, String... line) {
        return AgentLine.of(List.of(line), environment, "chaos-1", logs);
    }
}
