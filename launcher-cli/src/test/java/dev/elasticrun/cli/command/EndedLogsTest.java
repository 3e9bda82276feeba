/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndedLogsTest {
    @TempDir
    private Path run;

    @Test
    void show_rotatedLog_printsItsPartsInTheOrderOfWriting() throws IOException {
        Path worker = Files.createDirectories(run.resolve("a").resolve("worker-0.1"));
        Files.writeString(worker.resolve("stdout.log.10"), "1\n");
        Files.writeString(worker.resolve("stdout.log.2"), "2\n");
        Files.writeString(worker.resolve("stdout.log.1"), "3\n");
        Files.writeString(worker.resolve("stdout.log.rotating"), "3\n");
        Files.writeString(worker.resolve("stdout.log"), "4\n");
        Files.writeString(worker.resolve("stderr.log"), "error\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        new EndedLogs(run).show(false, print(out), print(err));

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("[a 0.1]: 1", "[a 0.1]: 2", "[a 0.1]: 3", "[a 0.1]: 4");
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).containsExactly("[a 0.1]: error");
    }

    @Test
    void show_readerIsGone_ends() throws IOException {
        Path worker = Files.createDirectories(run.resolve("a").resolve("worker-0.0"));
        Files.writeString(worker.resolve("stdout.log"), "line\n".repeat(1000));
        Closed closed = new Closed();

        new EndedLogs(run).show(false, print(closed), print(closed));

        assertThat(closed.writes).isLessThan(5);
    }

    private static PrintStream print(OutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static final class Closed extends OutputStream {
        private int writes;

        @Override
        public void write(int one) throws IOException {
            writes++;
            throw new IOException("Broken pipe");
        }
    }
}
