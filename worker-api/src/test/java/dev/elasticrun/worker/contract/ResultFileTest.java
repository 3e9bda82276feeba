/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {
    @TempDir
    private Path directory;

    @Test
    void write_tooLarge_namesSizeAndLimit_andKeepsWhatWasThere() throws IOException {
        Path file = directory.resolve("result");
        ResultFile.write(file, new byte[] {1});

        assertThatThrownBy(() -> ResultFile.write(file, new byte[65537]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("result: 65537 bytes (expected: at most 65536)");

        assertThat(file).hasBinaryContent(new byte[] {1});
    }
}
