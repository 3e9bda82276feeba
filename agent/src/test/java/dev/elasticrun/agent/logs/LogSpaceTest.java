/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogSpaceTest {
    @Test
    void see_fullAndNotFullAgain_isReportedOnceEach() {
        List<Boolean> reported = new ArrayList<>();
        LogSpace space = new LogSpace(Path.of("/logs/events.jsonl"), reported::add);

        space.see(1 << 20);
        space.see(0);
        space.see(100);
        space.see(1 << 20);
        space.see(1 << 20);

        assertThat(reported).containsExactly(false, true);
    }
}
