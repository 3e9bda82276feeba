/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlainTextTest {

    @Test
    void controlCharacters_areMadeVisible() {
        assertThat(PlainText.line("a\u001b[2J\u001b]0;owned\u0007\r\nb\u009b1m\u202e\tc"))
                .isEqualTo("a\\u001b[2J\\u001b]0;owned\\u0007\\r\\nb\\u009b1m\\u202e\tc");
        assertThat(PlainText.line("plain \u00e4 \u65e5 \ud83d\ude00")).isEqualTo("plain \u00e4 \u65e5 \ud83d\ude00");
    }

    @Test
    void colours_stayWhereTheyMay() {
        String text = "\u001b[1;31mred\u001b[0m \u001b[2J \u001b[31";
        assertThat(PlainText.colouredLine(text)).isEqualTo("\u001b[1;31mred\u001b[0m \\u001b[2J \\u001b[31");
        assertThat(PlainText.line(text)).doesNotContain("\u001b");
    }

    @Test
    void block_forgesNoLine_andIsCut() {
        assertThat(PlainText.block("first\r\n00:00:00.000 INFO forged\n", 100))
                .isEqualTo("first" + System.lineSeparator() + "    00:00:00.000 INFO forged" + System.lineSeparator()
                        + "    ");
        assertThat(PlainText.block("abcdef", 4)).isEqualTo("abcd ... (2 characters more)");
    }
}
