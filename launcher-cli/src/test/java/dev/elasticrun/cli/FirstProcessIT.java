/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent as the first process of a namespace, as in a container without an init. */
@Timeout(120)
final class FirstProcessIT {
    @TempDir
    private Path directory;

    @Test
    void orphans_areWaitedFor_andTheExitCodeIsTheWorkersOne() throws Exception {
        String worker = "i=0; while [ $i -lt 50 ]; do (true & exec true); i=$((i+1)); done;"
                + " grep -c '^State:.Z' /proc/[0-9]*/status | grep -c ':1$' >before;"
                + " while [ \"$(grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l)\" -gt 0 ]; do sleep 0.1; done;"
                + " touch reaped; kill -TERM 1; sleep 1000";
        try (Script script = Script.of(
                directory,
                List.of(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--pid",
                        "--fork",
                        "--mount-proc",
                        "--kill-child",
                        Script.path(),
                        "--standalone",
                        "--log-dir",
                        directory.resolve("logs").toString(),
                        "sh",
                        "-c",
                        worker))) {
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(directory.resolve("reaped")));
            assertThat(Integer.parseInt(
                            Files.readString(directory.resolve("before")).trim()))
                    .isPositive();
            assertThat(script.exitCode()).as(script.err()).isEqualTo(143);
        }
    }
}
