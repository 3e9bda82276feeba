/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

/**
 * Makes runtimes of one kind. Found by {@link java.util.ServiceLoader}, on the class path or on {@code --policy-path},
 * and chosen by name: {@code --runtime NAME} or {@code --runtime NAME:OPTION}. Needs a public constructor without
 * parameters.
 */
public interface FrameworkRuntimeProvider {

    /** The name that {@code --runtime} chooses it by; without a colon. */
    String name();

    /** How it may be chosen, for messages: the name, and what may follow it, as {@code xgboost[:own-tracker]}. */
    default String usage() {
        return name();
    }

    /**
     * The runtime of one agent. Has no effects: it is also called to check a configuration.
     *
     * @param option what follows the colon; empty without one
     * @throws IllegalArgumentException for an option that it does not know, whose message says what was expected
     */
    FrameworkRuntime create(String option);
}
