/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.util.Objects;

/**
 * The restart policy of a launch: the one that was given, else a default that depends on the program (ADR 0053).
 *
 * @param name of the policy, with its option after a colon if it has one
 * @param reason why the default is this one; empty = the policy was given
 */
public record PolicyChoice(String name, String reason) {
    private static final String HARD = "hard";
    private static final String SOFT_ELASTIC = "soft-elastic";

    public PolicyChoice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reason, "reason");
    }

    static PolicyChoice of(String program, SettingValues values, WorkerApi api) {
        return values.find(Settings.RESTART_POLICY)
                .map(given -> new PolicyChoice(given, ""))
                .orElseGet(() -> byDefault(program, values, api));
    }

    public boolean isDefault() {
        return !reason.isEmpty();
    }

    /** For the log of a launch that names no policy: which one it has, why, and what to do if the reason misleads. */
    public String text() {
        String chosen = "restart policy " + name + " by default: " + reason;
        return name.equals(HARD)
                ? chosen
                : chosen + " (a program that never calls getWorkerInfo() needs " + Settings.RESTART_POLICY.option()
                        + " " + HARD + ")";
    }

    static PolicyChoice byDefault(String program, SettingValues values, WorkerApi api) {
        if (values.get(Settings.NNODES).max() > 1) {
            return new PolicyChoice(HARD, "the run can have several nodes");
        }
        if (!program.endsWith(WorkerProgram.JAR)) {
            return new PolicyChoice(HARD, program + " is not a jar");
        }
        return api.place()
                .map(place -> new PolicyChoice(
                        SOFT_ELASTIC,
                        "the run has one node, and " + place
                                + (api.added().isPresent() || api.isMissing()
                                        ? " refers to the worker API"
                                        : " has the worker API")))
                .orElseGet(() -> new PolicyChoice(
                        HARD, "nothing in the class path of " + program + " refers to the worker API"));
    }
}
