/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressLineTest {
    private static final String CLEAR = "\r\u001b[K";

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final ProgressLine line = new ProgressLine(terminal, 12);
    private final PrintStream log = line.around(terminal);
    private final PrintStream texts = line.texts();

    @Test
    void text_isWrittenAgainInItsPlace() {
        set("step 1");
        set("step 2");

        assertThat(written()).isEqualTo("step 1" + CLEAR + "step 2");
    }

    @Test
    void lines_areAboveIt() {
        set("step 1");
        print("a line\n");

        assertThat(written()).isEqualTo("step 1" + CLEAR + "a line\n" + "step 1");
    }

    @Test
    void partOfALine_isNotMixedWithIt() {
        set("step 1");
        print("a ");
        set("step 2");
        print("line\n");

        assertThat(written()).isEqualTo("step 1" + CLEAR + "a line\n" + "step 2");
    }

    @Test
    void longText_isCut_asOneThatFillsTheTerminalWouldNotBeRemoved() {
        set("step 1234567890");

        assertThat(written()).isEqualTo("step 123456");
    }

    @Test
    void noText_isNoLine() {
        set("step 1");
        set(" ");
        print("end\n");

        assertThat(written()).isEqualTo("step 1" + CLEAR + "end\n");
    }

    private void set(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        texts.write(bytes, 0, bytes.length);
        texts.flush();
    }

    private void print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        log.write(bytes, 0, bytes.length);
        log.flush();
    }

    private String written() {
        return terminal.toString(StandardCharsets.UTF_8);
    }
}
