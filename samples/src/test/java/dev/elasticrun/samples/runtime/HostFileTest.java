/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimes;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
final class HostFileTest {
    private static final RuntimeRound.Node FIRST = new RuntimeRound.Node("a", "10.0.0.1", 0, 2);
    private static final RuntimeRound.Node SECOND = new RuntimeRound.Node("b", "10.0.0.2", 2, 1);

    @TempDir
    private Path directory;

    @Test
    void open_twoNodes_fileNamesThemAndGoesWithTheRound() throws IOException {
        Path file = directory.resolve("hosts.7");
        try (FrameworkRuntime runtime = FrameworkRuntimes.of("host-file", "").chosen();
                PreparedRound prepared = runtime.open(round())) {
            assertThat(prepared.values(2)).isEqualTo(Map.of("HOST_FILE", file.toString()));
            assertThat(file).hasContent("10.0.0.1 slots=2\n10.0.0.2 slots=1\n");
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void option_isRefused() {
        assertThatThrownBy(() -> FrameworkRuntimes.of("host-file:x", ""))
                .hasMessage("--runtime: host-file:x (expected: no option)");
    }

    private RuntimeRound round() {
        RuntimeRound.Master master = new RuntimeRound.Master(FIRST.address(), 5000, null);
        return new RuntimeRound(7, List.of(FIRST, SECOND), SECOND, master, directory, new byte[32]);
    }
}
