/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineAssemblerTest {
    private final List<String> lines = new ArrayList<>();

    @Test
    void accept_linesInOneBuffer_cutsThem() {
        LineAssembler assembler = new LineAssembler(100);
        accept(assembler, "one\n\ntwo\nthr");

        assertThat(lines).containsExactly("one", "", "two");
        assertThat(assembler.hasPartialLine()).isTrue();
    }

    @Test
    void end_partialLine_isHandedOutOnce() {
        LineAssembler assembler = new LineAssembler(100);
        accept(assembler, "no end");
        assembler.end(this::record);
        assembler.end(this::record);

        assertThat(lines).containsExactly("no end");
    }

    @Test
    void accept_lineOverTheLimit_comesInPieces() {
        LineAssembler assembler = new LineAssembler(4);
        accept(assembler, "abcdefghij\nabcd\nefgh\n");

        assertThat(lines).containsExactly("abcd", "efgh", "ij", "abcd", "efgh");
    }

    @Test
    void accept_anyPartition_givesTheSameLines() {
        long seed = 42;
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            text.append("x".repeat(random.nextInt(30))).append('\n');
        }
        accept(new LineAssembler(12), text.toString());
        List<String> whole = List.copyOf(lines);
        lines.clear();

        LineAssembler assembler = new LineAssembler(12);
        int position = 0;
        while (position < text.length()) {
            int end = Math.min(text.length(), position + 1 + random.nextInt(20));
            accept(assembler, text.substring(position, end));
            position = end;
        }

        assertThat(lines).isEqualTo(whole);
    }

    private void accept(LineAssembler assembler, String text) {
        assembler.accept(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), this::record);
    }

    private void record(byte[] line) {
        lines.add(new String(line, StandardCharsets.UTF_8));
    }
}
