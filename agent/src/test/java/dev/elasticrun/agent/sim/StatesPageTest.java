/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The diagrams of docs/states.md are what agents do in simulated runs; {@code -Dgolden.write=true} writes them. */
@Tag("once")
final class StatesPageTest {
    private static final Path PAGE = Path.of("../docs/states.md");
    private static final int SEEDS = 60;

    @Test
    void diagrams_areWhatSimulatedAgentsDo() throws IOException {
        String page = Files.readString(PAGE);
        String expected = page;
        for (String policy : List.of("soft", "soft-replace", "soft-elastic", "hard")) {
            SeenTransitions seen = play(policy);
            expected = with(expected, "nodes-" + policy, seen.ofNodes());
            expected = with(expected, "workers-" + policy, seen.ofGroups());
        }
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(PAGE, expected);
        } else {
            assertThat(page).isEqualTo(expected);
        }
    }

    private static SeenTransitions play(String policy) {
        SeenTransitions seen = new SeenTransitions();
        for (long seed = 0; seed < SEEDS; seed++) {
            RunSimulation simulation = new RunSimulation(seed, policy);
            simulation.play();
            seen.addAll(simulation.transitions());
        }
        return seen;
    }

    /** The page with another diagram below the mark of that name. */
    private static String with(String page, String mark, String diagram) {
        String begin = "<!-- " + mark + " -->\n```mermaid\n";
        int from = page.indexOf(begin);
        assertThat(from).as(mark).isNotNegative();
        int to = page.indexOf("```", from + begin.length());
        return page.substring(0, from) + begin + diagram + page.substring(to);
    }
}
