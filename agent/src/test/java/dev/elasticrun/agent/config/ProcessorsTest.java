/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProcessorsTest {
    private static final String EXPECTED = "1 to 1024, auto, cpu or gpu";

    @TempDir
    private Path devices;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "cpu", "3", "-3"})
    void workers_valid(String text) {
        int expected = text.endsWith("3")
                ? Integer.parseInt(text)
                : Runtime.getRuntime().availableProcessors();

        // No GPU is where this is built.
        assertThat(Processors.workers(text, EXPECTED)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xpu", "2x", "1.5"})
    void workers_invalid_reportsWhatWasExpected(String text) {
        assertThatThrownBy(() -> Processors.workers(text, EXPECTED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(EXPECTED);
    }

    @Test
    void workers_gpuWithoutOne_isRefused() {
        assertThatThrownBy(() -> Processors.workers("gpu", EXPECTED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no NVIDIA GPU");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "unset",
            delimiter = '|',
            value = {
                "unset|0 1 2",
                "2,0|2 0",
                "0|0",
                "''|''",
                "1,-1,0|1",
                "GPU-8f3a,GPU-9b|GPU-8f3a GPU-9b",
                "NoDevFiles|''"
            })
    void gpus_visibleOnes_areInTheirOrder(@Nullable String visible, String expected) throws Exception {
        for (String name : new String[] {"nvidia0", "nvidia1", "nvidia2", "nvidiactl", "nvidia-uvm"}) {
            Files.createFile(devices.resolve(name));
        }

        assertThat(String.join(" ", Processors.gpus(visible, devices))).isEqualTo(expected);
    }

    @Test
    void gpus_noDevices_areNoneWhateverIsVisible() {
        assertThat(Processors.gpus("0,1", devices)).isEmpty();
        assertThat(Processors.gpus(null, devices.resolve("absent"))).isEmpty();
    }
}
