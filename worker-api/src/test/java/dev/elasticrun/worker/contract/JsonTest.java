/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    /** Section 6 of RFC 8259. */
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
    private static final String CHARACTERS = "0129-+.eE";

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0,0",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808",
        "10,10"
    })
    void number_whole_isALong(String text, long expected) {
        assertThat(value(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.5,0.5", "-0.0,-0.0", "1e3,1000", "1E-3,0.001", "12.5e+1,125"})
    void number_withPointOrExponent_isADouble(String text, double expected) {
        assertThat(value(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "-", "-a", "1.", ".5", "1e", "1e+", "+1", "1.5.2", "1-2", "00", "1e5.0", "--1", "٣"})
    void number_damaged_isRefused(String text) {
        assertThatThrownBy(() -> value(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at character 5 (expected: a value)");
    }

    @Test
    void number_anyText_isWhatTheGrammarHas() {
        Random random = new Random(7);
        for (int i = 0; i < 50_000; i++) {
            StringBuilder made = new StringBuilder();
            for (int length = 1 + random.nextInt(7); length > 0; length--) {
                made.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
            }
            String text = made.toString();
            if (!NUMBER.matcher(text).matches()) {
                assertThatThrownBy(() -> value(text)).as(text).isInstanceOf(IllegalArgumentException.class);
            } else if (WHOLE.matcher(text).matches()) {
                assertThat(value(text)).as(text).isEqualTo(Long.parseLong(text));
            } else {
                assertThat(value(text)).as(text).isEqualTo(Double.parseDouble(text));
            }
        }
    }

    private static @Nullable Object value(String text) {
        return Json.object(("{\"a\":" + text + "}").getBytes(StandardCharsets.UTF_8))
                .get("a");
    }
}
