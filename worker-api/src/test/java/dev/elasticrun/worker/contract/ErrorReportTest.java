/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"message\":{\"message\":\"ValueError: row 3\",\"extraInfo\":{\"py_callstack\":\"Traceback\",\"timestamp\":\"1700000000\"}}}",
                "{\"message\":\"ValueError: row 3\",\"stack\":\"Traceback\",\"timestamp\":1700000000}",
                "{\"message\":\"ValueError: row 3\",\"stack\":\"Traceback\",\"timestamp\":\"2023-11-14T22:13:20Z\",\"more\":[1]}"
            })
    void e1_knownShapes_areRead(String json) {
        assertThat(decode(json))
                .isEqualTo(new ErrorReport("ValueError: row 3", "Traceback", "", Instant.ofEpochSecond(1700000000), 0));
    }

    @Test
    void e1_legacyShape_needsNothingButTheMessage() {
        assertThat(decode("{\"message\":\"m\",\"timestamp\":5}"))
                .isEqualTo(new ErrorReport("m", "", "", Instant.ofEpochSecond(5), 0));
        assertThat(decode("{\"message\":{\"message\":\"m\"}}"))
                .isEqualTo(new ErrorReport("m", "", "", Instant.EPOCH, 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                   | message: missing (expected: a string, or an object that has one)",
                "{\"message\":7}                       | message: 7 (expected: an object)",
                "{\"message\":{}}                      | message.message: missing (expected: a string)",
                "{\"message\":\"m\",\"version\":2}      | version: 2 (expected: 1)",
                "{\"message\":\"m\",\"timestamp\":true} | timestamp: true (expected: an ISO-8601 instant, or seconds",
                "[\"message\"]                         | json: '[' at character 0 (expected: an object)",
                "{\"message\":\"m                     | json: the end at character",
            })
    void e1_unknownShape_isRefusedWithWhatIsWrong(String json, String problem) {
        assertThatIllegalArgumentException().isThrownBy(() -> decode(json)).withMessageContaining(problem);
    }

    @Test
    void of_endlessMessage_fitsTheLimitOfTheFile() {
        Exception failure = new IllegalStateException("\u0001".repeat(3_000_000));
        ErrorReport report = ErrorReport.of(failure, "main", Instant.EPOCH, 0);
        assertThat(report.encode()).hasSizeLessThan(ErrorReport.MAX_BYTES);
        assertThat(ErrorReport.decode(report.encode())).isEqualTo(report);
    }

    private static ErrorReport decode(String json) {
        return ErrorReport.decode(json.getBytes(StandardCharsets.UTF_8));
    }
}
