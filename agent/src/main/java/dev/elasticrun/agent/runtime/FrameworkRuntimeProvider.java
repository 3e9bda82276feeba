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

    /** How it may be chosen, for messages: the name, and what may follow it, as {@code name[:option]}. */
    default String usage() {
        return name();
    }

    /**
     * The runtime of one agent. Has no side effects: it is also called to check a configuration.
     *
     * @param option what follows the colon; empty without one
     * @throws IllegalArgumentException for an option that it does not know, whose message states what was expected
     */
    FrameworkRuntime create(String option);

    /**
     * Whether a worker's process has the thread that does the input and output of the framework's library, where the library
     * can lose it: a worker without it that waits in the library for its peers, after it was seen to have it, waits for ever
     * and is ended before those that have it. Asked of all providers that are found, whichever of them is chosen: a program
     * may use the framework without its runtime. Called by the thread {@code hang-watch}, some times a second while a worker
     * waits so; may read files below {@code /proc}, must not throw.
     *
     * @param pid of the worker, which may have ended
     */
    default boolean hasEventLoop(long pid) {
        return false;
    }
}
