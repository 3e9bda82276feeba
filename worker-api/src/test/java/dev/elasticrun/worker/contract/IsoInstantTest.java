/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoInstantTest {
    private static final String CHARACTERS = "0123456789-:.TZ+ ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-02T03:04:05Z",
                "2026-01-02T03:04:05.6Z",
                "2026-01-02T03:04:05.678901234Z",
                "2024-02-29T23:59:59.000000001Z",
                "0000-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999Z",
                "2026-01-02T24:00:00Z",
                "2026-01-02t03:04:05z",
                "+12026-01-02T03:04:05Z",
                "-0001-01-02T03:04:05Z",
                "2026-01-02T03:04:05+02:00",
                "2016-12-31T23:59:60Z"
            })
    void parse_anInstant_isTheLibrarys(String text) {
        assertSame(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-01-02T03:04:05",
                "2026-01-02T03:04:05.Z",
                "2026-01-02T03:04:05.0123456789Z",
                "2026-01-02T03:04:05,5Z",
                "2026-01-02T03:60:05Z",
                "2026-01-02 03:04:05Z",
                "2025-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-01-00T00:00:00Z",
                "٢٠٢٦-01-02T03:04:05Z"
            })
    void parse_noInstant_throws(String text) {
        assertSame(text);
    }

    @Test
    void parse_damagedInstants_areTheLibrarys() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(Instant.ofEpochSecond(
                            random.nextLong(-62_000_000_000L, 250_000_000_000L), random.nextInt(1_000_000_000))
                    .toString());
            for (int damage = random.nextInt(3); damage > 0; damage--) {
                text.setCharAt(random.nextInt(text.length()), CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
            }
            assertSame(text.toString());
        }
    }

    private static void assertSame(String text) {
        Instant expected;
        try {
            expected = Instant.parse(text);
        } catch (DateTimeException e) {
            assertThatThrownBy(() -> IsoInstant.parse(text)).as(text).isInstanceOf(DateTimeException.class);
            return;
        }
        assertThat(IsoInstant.parse(text)).as(text).isEqualTo(expected);
    }
}
