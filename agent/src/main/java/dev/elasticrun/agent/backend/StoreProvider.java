/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.backend;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import java.time.Duration;
import java.util.List;

/**
 * Connects to one kind of store. Found by {@link java.util.ServiceLoader}, on the class path or on {@code --policy-path},
 * and chosen by {@code --rdzv-backend NAME}. What such a store must do is in {@link RendezvousStore}. A run key that was
 * minted is kept in it.
 */
public interface StoreProvider {
    /** Not {@code auto}, nor {@code embedded}. */
    String name();

    /** The store in messages, for example "etcd at 10.0.0.1:2379". */
    default String describe(List<String> endpoints) {
        return name() + " at " + String.join(",", endpoints);
    }

    /**
     * A client; the store need not answer yet. Called by a thread that may wait.
     *
     * @param settings of the agent, or of a command that looks for a run: {@link
     *     dev.elasticrun.agent.config.Settings#RDZV_ENDPOINT} and whatever else the store takes
     * @param callDeadline how long a call may take
     * @throws IllegalArgumentException when a setting cannot be used: its flag, its value and what was expected
     */
    RendezvousStore connect(SettingValues settings, Duration callDeadline);
}
