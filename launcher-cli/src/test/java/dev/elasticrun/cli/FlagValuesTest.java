/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FlagValuesTest {

    @ParameterizedTest
    @CsvSource({"1,1,1", "4,4,4", "2:3,2,3", "1:64,1,64"})
    void nodes_valid(String text, int min, int max) {
        assertThat(FlagValues.nodes(text)).isEqualTo(new FlagValues.Nodes(min, max));
        assertThat(FlagValues.nodes(FlagValues.text(FlagValues.nodes(text)))).isEqualTo(FlagValues.nodes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "x", "3:2", "0:2", "-1", "1:", ":2", "1:2:3", "1.5", "99999999999"})
    void nodes_invalid_saysWhatWasExpected(String text) {
        assertThatThrownBy(() -> FlagValues.nodes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("N or MIN:MAX with 1 <= MIN <= MAX");
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "5s,5000", "5,5000", "2m,120000", "1h,3600000", "0,0", "1500ms,1500"})
    void duration_valid(String text, long millis) {
        Duration duration = FlagValues.duration(text);
        assertThat(duration).isEqualTo(Duration.ofMillis(millis));
        assertThat(FlagValues.duration(FlagValues.text(duration))).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "5 s", "-1s", "1.5s", "5d", "ms", "9999999999"})
    void duration_invalid_saysWhatWasExpected(String text) {
        assertThatThrownBy(() -> FlagValues.duration(text)).hasMessageStartingWith("a time such as 500ms");
    }

    @Test
    void endpoints_withoutPort_getEtcds() {
        assertThat(FlagValues.endpoints("a,b:1, 10.0.0.1 ,[::1],[::1]:5"))
                .containsExactly("a:2379", "b:1", "10.0.0.1:2379", "[::1]:2379", "[::1]:5");
    }

    @ParameterizedTest
    @CsvSource({"auto,7", "cpu,7", "3,3"})
    void nproc_valid(String text, int expected) {
        assertThat(FlagValues.nproc(text, 7)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpu", "1.5", "AUTO"})
    void nproc_invalid_saysWhatWasExpected(String text) {
        assertThatThrownBy(() -> FlagValues.nproc(text, 7)).hasMessage("1 to 1024, auto or cpu");
    }

    @Test
    void words_splitAtSpaces_butNotInQuotes() {
        assertThat(FlagValues.words("  -Xmx1g '-Da=b c'  -Dd=\"it's\" ''"))
                .containsExactly("-Xmx1g", "-Da=b c", "-Dd=it's", "");
    }

    @Test
    void words_quoteLeftOpen_isAnError() {
        assertThatThrownBy(() -> FlagValues.words("-Da='b")).hasMessage("words with every ' closed");
    }

    @Test
    void quoted_isTheReverseOfWords() {
        List<String> words = List.of("-Xmx1g", "", "a b", "it's", "\"", "a'b\"c d");
        assertThat(FlagValues.words(FlagValues.quoted(words))).isEqualTo(words);
    }

    @Test
    void variables_withoutName_isAnError() {
        assertThat(FlagValues.variables(List.of("A=1", "B=x=y", "C="))).containsOnlyKeys("A", "B", "C");
        assertThatThrownBy(() -> FlagValues.variables(List.of("=1"))).hasMessage("NAME=VALUE");
        assertThatThrownBy(() -> FlagValues.variables(List.of("A"))).hasMessage("NAME=VALUE");
    }
}
