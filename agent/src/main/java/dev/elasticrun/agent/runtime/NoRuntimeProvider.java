/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import java.util.Set;

/** Prepares nothing: workers find each other by the contents of every round. */
public final class NoRuntimeProvider implements FrameworkRuntimeProvider {
    @Override
    public String name() {
        return FrameworkRuntimes.NONE;
    }

    @Override
    public FrameworkRuntime create(String option) {
        if (!option.isEmpty()) {
            throw new IllegalArgumentException("expected: no option");
        }
        return new NoRuntime();
    }

    private static final class NoRuntime implements FrameworkRuntime {
        @Override
        public Set<String> reservedNames() {
            return Set.of();
        }

        @Override
        public PreparedRound open(RuntimeRound round) {
            return PreparedRound.EMPTY;
        }
    }
}
