/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.ErrorReport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class ErrorFileTest {
    private static final String END = "exit code 3";

    @TempDir
    private Path directory;

    @Test
    void e1_reportOfAWorker_isItsMessageAndStack() throws IOException {
        new ErrorReport("row 3", "at line 7", "main", Instant.EPOCH, 2).writeTo(file());

        ErrorFile found = ErrorFile.read(file());

        assertThat(found.message(END)).isEqualTo("row 3");
        assertThat(found.stack()).isEqualTo("at line 7");
    }

    @Test
    void e2_noFile_isTheEndOfTheProcess() {
        ErrorFile found = ErrorFile.read(file());

        assertThat(found.message(END)).isEqualTo(END);
        assertThat(found.stack()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\0\0",
                "null",
                "{\"message\":",
                "{\"message\":\"\ud800\"}",
                "{\"a\":{\"a\":{\"a\":{\"a\":1}}}}"
            })
    void damaged_anyBytes_areReportedBesideTheEnd(String text) throws IOException {
        Files.writeString(file(), text.replace('\ud800', '?') + "\u00ff");

        assertThat(ErrorFile.read(file()).message(END)).startsWith(END + "; error.json ");
    }

    @Test
    void damaged_deepNesting_doesNotTakeTheStack() throws IOException {
        Files.writeString(file(), "{\"message\":" + "[".repeat(500_000));

        assertThat(ErrorFile.read(file()).message(END)).contains(" 16");
    }

    @Test
    void damaged_huge_isNotRead() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file().toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }

        assertThat(ErrorFile.read(file()).message(END))
                .startsWith(END + "; error.json ")
                .contains("1099511627776 ", "1048576)");
    }

    @Test
    void damaged_pipeDirectoryOrLink_isNotOpened() throws Exception {
        Path pipe = directory.resolve("pipe");
        Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(mkfifo.waitFor(10, TimeUnit.SECONDS)).isTrue();
        Path link = Files.createSymbolicLink(directory.resolve("link"), pipe);

        for (Path file : new Path[] {pipe, link, directory}) {
            assertThat(ErrorFile.read(file).message(END)).startsWith(END + "; " + file.getFileName() + " ");
        }
    }

    private Path file() {
        return directory.resolve("error.json");
    }
}
