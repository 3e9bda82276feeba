/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LogOutputTest {
    @Test
    @Tag("once")
    void commandThatLogsNothing_loadsNothingOfTheLog() throws IOException, InterruptedException {
        Process help = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:stdout",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "--help"))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .start();
        String output = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(help.waitFor()).as(output).isZero();
        assertThat(output)
                .contains(LogOutput.class.getName())
                .doesNotContain(LogQueue.class.getName() + " ")
                .doesNotContain("ch.qos.logback")
                .doesNotContain("org.slf4j");
    }
}
