/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

final class LogSetupTest {
    private static final String FILE = "logback.configurationFile";

    @TempDir
    private Path directory;

    @Test
    void configure_programHasAConfigurationOfItsOwn_leavesItAlone() throws Exception {
        LoggerContext context = new LoggerContext();
        Path file = Files.writeString(directory.resolve("its-own.xml"), "<configuration/>");
        System.setProperty(FILE, file.toString());
        try {
            assertThat(new LogSetup().configure(context)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
        } finally {
            System.clearProperty(FILE);
        }

        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                .isExhausted();
    }

    @Test
    void configure_agentWithTheClassPathOfAnotherProgram_isOurs() throws Exception {
        LoggerContext context = new LoggerContext();
        Path file = Files.writeString(directory.resolve("its-own.xml"), "<configuration/>");
        System.setProperty(FILE, file.toString());
        System.setProperty(LogSetup.OWN_LOG, "true");
        try {
            assertThat(new LogSetup().configure(context)).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        } finally {
            System.clearProperty(LogSetup.OWN_LOG);
            System.clearProperty(FILE);
        }

        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                .toIterable()
                .hasSize(1);
    }
}
