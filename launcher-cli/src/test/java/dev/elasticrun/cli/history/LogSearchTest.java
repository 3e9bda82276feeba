/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.http.PastPage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LogSearchTest {
    private static PastPage.LogText search(String wanted, List<String> lines) {
        LogSearch search = new LogSearch(wanted);
        lines.forEach(search::test);
        return search.text();
    }

    @Test
    void noText_showsAllLines() {
        assertThat(search("", List.of("a", "b")).text()).isEqualTo("a\nb");
        assertThat(search("", List.of()).note()).isEqualTo("nothing was written");
    }

    @Test
    void text_isFoundInAnyCase_withNumbersOfLines() {
        PastPage.LogText found = search("LOSS", List.of("step", "loss 1", "step", "Loss 2"));

        assertThat(found.text()).isEqualTo("2: loss 1\n4: Loss 2");
        assertThat(found.note()).isEqualTo("2 of 4 lines with this text");
    }

    @Test
    void manyLines_showsTheNewest() {
        PastPage.LogText found =
                search("", IntStream.range(0, 1500).mapToObj(Integer::toString).toList());

        assertThat(found.text().lines()).hasSize(1000).endsWith("1499");
        assertThat(found.note()).isEqualTo("1500 lines, the newest 1000 of them");
    }

    @Test
    void longLine_isCut() {
        assertThat(search("", List.of("x".repeat(5000))).text()).hasSize(4097);
    }
}
