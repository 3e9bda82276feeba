/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ShellWordsTest {
    @Test
    void quoted_plain_staysAsItIs() {
        assertThat(ShellWords.quoted("--nnodes=1:2")).isEqualTo("--nnodes=1:2");
    }

    @Test
    void quoted_notPlain_isQuoted() {
        assertThat(ShellWords.quoted("")).isEqualTo("''");
        assertThat(ShellWords.quoted("=ls")).isEqualTo("'=ls'");
        assertThat(ShellWords.quoted("it's")).isEqualTo("'it'\\''s'");
    }

    @Test
    @Timeout(30)
    void quoted_aShell_readsTheSameTexts() throws Exception {
        List<String> texts =
                List.of("plain", "", "two words", "it's", "$HOME `id` $(id)", "a\nb\\n", "\"*\"", "~", "#", "=ls");
        String line = texts.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\0' " + line).start();

        String read = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(read.split("\0")).containsExactlyElementsOf(texts);
    }
}
