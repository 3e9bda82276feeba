/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetricFileTest {
    @TempDir
    private Path directory;

    private Path file;
    private MetricWriter writer;

    @BeforeEach
    void create() throws IOException {
        file = directory.resolve("metrics");
        writer = MetricWriter.create(file);
    }

    @Test
    void values_areTheNewest_inTheOrderOfTheirFirst() throws IOException {
        assertThat(read()).isEmpty();

        writer.put("b", 1);
        writer.put("größe", -0.0);
        writer.put("b", Double.NEGATIVE_INFINITY);

        assertThat(read())
                .containsExactly(
                        new MetricFile.Metric("b", Double.NEGATIVE_INFINITY), new MetricFile.Metric("größe", -0.0));
    }

    @Test
    void mostNames_oneMoreIsRefused_andTheOthersStay() throws IOException {
        IntStream.range(0, MetricFile.MAX_METRICS)
                .forEach(number -> writer.put(String.format("%055d", number), number));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.put("more", 1))
                .withMessageContaining("'more'")
                .withMessageContaining("63 names");
        writer.put(String.format("%055d", 62), 7);

        assertThat(read()).hasSize(63).last().isEqualTo(new MetricFile.Metric(String.format("%055d", 62), 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a\nb",
                "0123456789012345678901234567890123456789012345678901234x",
                "äääääääääääääääääääääääääääää"
            })
    void nameThatDoesNotFit_isRefused(String name) throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.put(name, 1))
                .withMessageContaining("'" + name + "'");

        assertThat(read()).isEmpty();
    }

    @Test
    void otherFiles_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> MetricFile.decode(new byte[MetricFile.SIZE]));
        assertThatIllegalArgumentException().isThrownBy(() -> MetricFile.decode(new byte[0]));
    }

    private List<MetricFile.Metric> read() throws IOException {
        return MetricFile.decode(Files.readAllBytes(file));
    }
}
