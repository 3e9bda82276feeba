/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "999, 999 ms",
        "1500, 1.5 s",
        "60000, 1 min 0 s",
        "3599999, 59 min 59 s",
        "11100000, 3 h 5 min",
        "187200000, 2 d 4 h"
    })
    void text_millis_isWhatPeopleWrite(long millis, String text) {
        assertThat(Durations.text(millis)).isEqualTo(text);
    }
}
