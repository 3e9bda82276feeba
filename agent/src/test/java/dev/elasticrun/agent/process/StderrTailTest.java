/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StderrTailTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("stderr.log");
    }

    @Test
    void read_noFile_isEmpty() throws Exception {
        assertThat(StderrTail.read(file)).isEmpty();
    }

    @Test
    void read_manyLines_returnsTheLastTwentyAndThePartialOne() throws Exception {
        Files.writeString(
                file,
                String.join(
                        "\n",
                        IntStream.range(0, 5000).mapToObj(i -> "line " + i).toList()));

        List<String> tail = StderrTail.read(file);

        assertThat(tail).hasSize(20).startsWith("line 4980").endsWith("line 4999");
    }

    @Test
    void read_oneHugeLine_returnsABoundedPart() throws Exception {
        Files.writeString(file, "x".repeat(1_000_000));

        List<String> tail = StderrTail.read(file);

        assertThat(tail).hasSize(1);
        assertThat(tail.get(0)).hasSizeLessThan(2100).endsWith("more characters)");
    }

    @Test
    void read_hugeLineThenShortOne_dropsThePieceOfTheFirst() throws Exception {
        Files.writeString(file, "x".repeat(1_000_000) + "\nwhat matters\n");

        assertThat(StderrTail.read(file)).containsExactly("what matters");
    }

    @Test
    void read_invalidUtf8_replacesIt() throws Exception {
        Files.write(file, new byte[] {'a', (byte) 0xff, (byte) 0xc3, '\n', 'b'});

        assertThat(StderrTail.read(file)).containsExactly("a\ufffd\ufffd", "b");
    }
}
