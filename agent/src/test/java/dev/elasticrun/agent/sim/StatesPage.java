/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The diagrams of docs/states.md: what agents do in the first runs of {@link AgentSimTest}, under some of the policies. */
final class StatesPage {
    /** Runs whose transitions are shown: those of the seeds below. */
    static final int SEEDS = 60;

    private static final Path PAGE = Path.of("../docs/states.md");
    private static final Set<String> POLICIES = Set.of("soft", "soft-replace", "soft-elastic", "hard");

    private StatesPage() {}

    static boolean shows(String policy) {
        return POLICIES.contains(policy);
    }

    /** Compares the diagrams of the policy with what was seen; {@code -Dgolden.write=true} writes them. */
    static void check(String policy, SeenTransitions seen) {
        try {
            String page = Files.readString(PAGE);
            String expected = with(page, "nodes-" + policy, seen.ofNodes());
            expected = with(expected, "workers-" + policy, seen.ofGroups());
            if (Boolean.getBoolean("golden.write")) {
                Files.writeString(PAGE, expected);
            } else {
                assertThat(page).isEqualTo(expected);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
