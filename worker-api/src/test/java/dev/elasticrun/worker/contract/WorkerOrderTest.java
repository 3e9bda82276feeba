/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerOrderTest {
    @Test
    void line_isReadBack_whateverIsInIt() {
        WorkerOrder order = new WorkerOrder(
                Map.of("A", "1\n2", "SECRET", "\"quoted\""), List.of("", "--x", "\u00e4\r\n"), "/a b/out", "/err");

        String line = new String(order.line(), StandardCharsets.UTF_8);

        assertThat(line).endsWith("\n").containsOnlyOnce("\n");
        assertThat(WorkerOrder.parse(line.strip())).isEqualTo(order);
        assertThat(order.toString()).contains("SECRET").doesNotContain("quoted");
    }

    @Test
    void parse_namesWhatIsWrong() {
        assertThatThrownBy(() -> WorkerOrder.parse("{\"environment\":{},\"arguments\":[1],\"stdout\":\"\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("arguments: [1] (expected: a list of strings)");
    }
}
