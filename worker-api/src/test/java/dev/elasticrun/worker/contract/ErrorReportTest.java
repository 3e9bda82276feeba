/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ErrorReportTest {
    @TempDir
    private Path directory;

    @Test
    void writeTo_isReadBackAndReplacesAnEarlierOne() throws IOException {
        Path file = directory.resolve("error.json");
        ErrorReport first = ErrorReport.of(new IOException("disk\n\"full\""), "main", Instant.EPOCH, 3);
        first.writeTo(file);
        ErrorReport second = new ErrorReport("m", "s", "t", Instant.EPOCH, 4);
        assertThat(ErrorReport.decode(Files.readAllBytes(file))).isEqualTo(first);
        second.writeTo(file);
        assertThat(ErrorReport.decode(Files.readAllBytes(file))).isEqualTo(second);
        assertThat(first.message()).isEqualTo("java.io.IOException: disk\n\"full\"");
        assertThat(first.stack()).contains("writeTo_isReadBack");
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }
}
