/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * A user's runtime: hands workers its option, and fails when that is no more than a question, or in the first round when it
 * is {@code late}.
 */
public final class OutsideRuntime implements FrameworkRuntimeProvider, FrameworkRuntime {
    static final String NAME = "outside";
    static final String WHY = "no idea about round ";

    private String option = "";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FrameworkRuntime create(String given) {
        OutsideRuntime made = new OutsideRuntime();
        made.option = given;
        return made;
    }

    @Override
    public Set<String> reservedNames() {
        return Set.of("OUTSIDE");
    }

    @Override
    public PreparedRound open(RuntimeRound round) throws IOException {
        if (option.equals("?") || (option.equals("late") && round.number() == 1)) {
            throw new IOException(WHY + round.number());
        }
        return rank -> Map.of("OUTSIDE", option + " for rank " + rank + " of " + round.worldSize());
    }
}
