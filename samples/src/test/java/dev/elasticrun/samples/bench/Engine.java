/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.Map;

/** What starts three agents of a run, loses the last of them, and starts another in its place. */
interface Engine extends AutoCloseable {
    int NODES = 3;

    /** What a table calls it. */
    String title();

    /** Starts the run; returns while agents start. */
    void start();

    /** What can happen to the last agent, by what a table calls it, in the order in which it is measured. */
    Map<String, Loss> losses();

    /** For a failure. */
    String state();

    @Override
    void close();

    /** What the engine has to do with a loss. */
    enum Notice {
        /** Nothing: who started the agents has to see it. */
        NONE,
        /** It is the engine that ends the agent. */
        CAUSE,
        /** It shows the loss after some time. */
        SHOWN
    }

    /** One thing that can happen. */
    interface Loss {
        Notice notice();

        /** Makes it happen; returns at once. */
        void happen();

        /** Whether the engine shows it. */
        boolean isShown();

        /**
         * Has another agent started as soon as the engine can.
         *
         * @return {@link System#nanoTime()} when its job, command or process started
         */
        long bringBack();
    }
}
