/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.worker.contract.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HandedFileTest {
    @TempDir
    private Path directory;

    @Test
    void read_noFile_isNoResult() {
        assertThat(HandedFile.read(directory.resolve("result"), 0)).isEmpty();
    }

    @Test
    void read_whatWasWrittenLast_isTheResult() throws IOException {
        Path file = directory.resolve("result");
        ResultFile.write(file, "first, and longer".getBytes(UTF_8));
        ResultFile.write(file, "second".getBytes(UTF_8));

        assertThat(HandedFile.read(file, 3)).contains(HandedResult.of(3, "second".getBytes(UTF_8)));
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void read_empty_isAResultOfNoBytes() throws IOException {
        Path file = directory.resolve("result");
        ResultFile.write(file, new byte[0]);

        assertThat(HandedFile.read(file, 0)).contains(HandedResult.of(0, new byte[0]));
    }

    @Test
    void read_largerThanAWorkerMay_isRefusedWithItsSizeAndTheLimit() throws IOException {
        Path file = Files.write(directory.resolve("result"), new byte[ResultFile.MAX_BYTES + 1]);

        assertThat(HandedFile.read(file, 0)).hasValueSatisfying(refused -> assertThat(refused.refusedBecause())
                .contains("65536"));
    }
}
