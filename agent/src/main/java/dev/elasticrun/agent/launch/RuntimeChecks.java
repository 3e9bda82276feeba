/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What must hold of a configuration for its runtime. */
final class RuntimeChecks {
    private RuntimeChecks() {}

    /**
     * One line per violation; empty when all is well.
     *
     * @param policyPath where runtimes of users are, as a class path
     */
    static List<String> violations(WorkerOptions workers, String policyPath) {
        String choice = workers.runtime();
        FrameworkRuntime runtime;
        try {
            runtime = FrameworkRuntimes.of(choice, policyPath).chosen();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        List<String> violations = new ArrayList<>();
        String expected =
                " (expected: not set, because --runtime " + choice + " gives each worker its own in each round)";
        for (String name : new TreeSet<>(runtime.reservedNames())) {
            if (workers.environment().containsKey(name)) {
                violations.add("--env " + name + ": set for workers" + expected);
            }
        }
        return violations;
    }
}
