/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogEndsTest {
    @TempDir
    private Path directory;

    private LogEnds ends;

    @BeforeEach
    void look() {
        ends = new LogEnds(directory);
    }

    @Test
    void read_noLogs_isEmpty() throws IOException {
        assertThat(ends.read(0, false).text()).isEmpty();
        assertThat(ends.read(0, false).whole()).isTrue();
    }

    @Test
    void read_severalProcesses_areInOrder() throws IOException {
        log("worker-1.0", "a\n");
        log("worker-1.10", "c\n");
        log("worker-1.9", "b\n");
        log("worker-11.0", "of another\n");

        assertThat(ends.read(1, false).text()).isEqualTo("""
                        a
                        ---- attempt 0 ended here, a later one began ----
                        b
                        ---- attempt 9 ended here, a later one began ----
                        c
                        """);
        assertThat(ends.read(1, false).file()).isEqualTo(directory.resolve("worker-1.10/stdout.log"));
        assertThat(ends.read(1, true).text()).isEmpty();
    }

    @Test
    void read_longLog_isItsEndInWholeLines() throws IOException {
        log("worker-0.0", "earlier\n");
        log("worker-0.1", "0123456789\n".repeat(10_000));

        LogEnds.End end = ends.read(0, false);

        assertThat(end.whole()).isFalse();
        assertThat(end.text())
                .hasSizeBetween(LogEnds.MAX_BYTES - 11, LogEnds.MAX_BYTES)
                .startsWith("0123456789\n");
    }

    private void log(String worker, String text) throws IOException {
        Path made = Files.createDirectories(directory.resolve(worker));
        Files.writeString(made.resolve("stdout.log"), text);
    }
}
