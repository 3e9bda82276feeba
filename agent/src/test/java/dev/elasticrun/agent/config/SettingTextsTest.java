/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingTextsTest {

    @ParameterizedTest
    @CsvSource({"1,1,1", "4,4,4", "2:3,2,3", "1:64,1,64"})
    void nodes_valid(String text, int min, int max) {
        assertThat(SettingTexts.nodes(text)).isEqualTo(new NodeRange(min, max));
        assertThat(SettingTexts.nodes(SettingTexts.text(SettingTexts.nodes(text))))
                .isEqualTo(SettingTexts.nodes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "x", "3:2", "0:2", "-1", "1:", ":2", "1:2:3", "1.5", "99999999999"})
    void nodes_invalid_reportsWhatWasExpected(String text) {
        assertThatThrownBy(() -> SettingTexts.nodes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("N or MIN:MAX with 1 <= MIN <= MAX");
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "5s,5000", "5,5000", "2m,120000", "1h,3600000", "0,0", "1500ms,1500"})
    void duration_valid(String text, long millis) {
        Duration duration = SettingTexts.duration(text);
        assertThat(duration).isEqualTo(Duration.ofMillis(millis));
        assertThat(SettingTexts.duration(SettingTexts.text(duration))).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "5 s", "-1s", "1.5s", "5d", "ms", "9999999999"})
    void duration_invalid_reportsWhatWasExpected(String text) {
        assertThatThrownBy(() -> SettingTexts.duration(text)).hasMessageStartingWith("a time such as 500ms");
    }

    @Test
    void endpoints_withoutPort_getEtcds() {
        assertThat(SettingTexts.endpoints("a,b:1, 10.0.0.1 ,[::1],[::1]:5,/data/store"))
                .containsExactly("a:2379", "b:1", "10.0.0.1:2379", "[::1]:2379", "[::1]:5", "/data/store");
    }

    @Test
    void words_splitAtSpaces_butNotInQuotes() {
        assertThat(SettingTexts.words("  -Xmx1g '-Da=b c'  -Dd=\"it's\" ''"))
                .containsExactly("-Xmx1g", "-Da=b c", "-Dd=it's", "");
    }

    @Test
    void words_quoteLeftOpen_isAnError() {
        assertThatThrownBy(() -> SettingTexts.words("-Da='b")).hasMessage("words with every ' closed");
    }

    @Test
    void quoted_isTheReverseOfWords() {
        List<String> words = List.of("-Xmx1g", "", "a b", "it's", "\"", "a'b\"c d");
        assertThat(SettingTexts.words(SettingTexts.quoted(words))).isEqualTo(words);
    }

    @Test
    void variables_withoutName_isAnError() {
        assertThat(SettingTexts.variables(List.of("A=1", "B=x=y", "C="))).containsOnlyKeys("A", "B", "C");
        assertThatThrownBy(() -> SettingTexts.variables(List.of("=1"))).hasMessage("NAME=VALUE");
        assertThatThrownBy(() -> SettingTexts.variables(List.of("A"))).hasMessage("NAME=VALUE");
    }
}
