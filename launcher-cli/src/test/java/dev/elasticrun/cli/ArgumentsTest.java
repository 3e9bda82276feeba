/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArgumentsTest {
    private static final List<OptionForm> OPTIONS = List.of(
            new OptionForm(List.of("--name", "--other-name", "--other_name"), "NAME", "", ""),
            new OptionForm(List.of("--again"), "SECONDS", "2", ""),
            new OptionForm(List.of("-y", "--yes"), "", "", ""));

    @Test
    void values_areThoseOfAllNames_theLastOneCounts() {
        Arguments parsed = none("--name", "a", "--other_name=b=c", "--other-name=");

        assertThat(parsed.values("--other-name")).containsExactly("a", "b=c", "");
        assertThat(parsed.value("--name")).contains("");
        assertThat(parsed.has("--again")).isFalse();
        assertThat(parsed.has("--unheard-of")).isFalse();
    }

    @Test
    void value_withDashes_isAValue_unlessItIsAnOption() {
        assertThat(none("--name", "-Xmx1g").value("--name")).contains("-Xmx1g");
        assertThat(none("--name", "--x=y").value("--name")).contains("--x=y");
        assertThat(none("--name=--yes").value("--name")).contains("--yes");
        assertThatThrownBy(() -> none("--name", "--again=3"))
                .hasMessage("--name: no value (expected: a value after it)");
        assertThatThrownBy(() -> none("--name", "--")).hasMessage("--name: no value (expected: a value after it)");
    }

    @Test
    void value_thatMayBeMissing_isTheOneForThat() {
        assertThat(none("--again").value("--again")).contains("2");
        assertThat(none("--again", "5").value("--again")).contains("5");
        assertThat(none("--again", "--yes").value("--again")).contains("2");
        assertThat(none("--again=7", "-y").value("--again")).contains("7");
    }

    @Test
    void argument_mayStandAnywhere() {
        Arguments parsed = one("--yes", "node", "--name", "n");

        assertThat(parsed.others()).containsExactly("node");
        assertThat(parsed.has("-y")).isTrue();
        assertThat(parsed.value("--name")).contains("n");
        assertThat(one("--", "--yes").others()).containsExactly("--yes");
        assertThat(one("-").others()).containsExactly("-");
    }

    @Test
    void argument_thatIsTheLast_hasAllThatFollows() {
        Arguments parsed = program("--yes", "program", "--name", "--", "-h");

        assertThat(parsed.others()).containsExactly("program", "--name", "--", "-h");
        assertThat(parsed.has("--name")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nam x  | --nam: unknown flag (expected: a flag that --help lists; the nearest is --name)",
                "-x       | -x: unknown flag (expected: a flag that --help lists)",
                "--yes=no | --yes: no (expected: no value)",
                "one two  | argument: two (expected: no arguments here)",
            })
    void parse_whatItDoesNotKnow_isNamed(String line, String expected) {
        assertThatThrownBy(() -> one(line.split(" "))).hasMessage(expected);
    }

    private static Arguments none(String... given) {
        return Arguments.parse(new CommandForm("c", "", "", Optional.empty(), OPTIONS, List.of()), List.of(given));
    }

    private static Arguments one(String... given) {
        return parse(false, given);
    }

    private static Arguments program(String... given) {
        return parse(true, given);
    }

    private static Arguments parse(boolean isLast, String... given) {
        return Arguments.parse(
                new CommandForm(
                        "c", "", "", Optional.of(new CommandForm.Argument("A", "", isLast)), OPTIONS, List.of()),
                List.of(given));
    }
}
