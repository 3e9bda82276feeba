/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Starts this node's agent from Java; what the command does, too. */
public final class ElasticLauncher {
    private ElasticLauncher() {}

    /**
     * Runs the agent of this node until the run ends, and leaves nothing behind.
     *
     * @throws InterruptedException when the caller is interrupted; the agent then drains
     */
    public static LaunchResult launch(LaunchConfig config) throws InterruptedException {
        Running running = start(config);
        try {
            return running.result().get();
        } catch (InterruptedException e) {
            running.drain(ExitCode.INTERRUPTED);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the agent failed", e.getCause());
        }
    }

    /** Starts the agent of this node. */
    public static Running start(LaunchConfig config) {
        ElasticAgent agent = new ElasticAgent(config);
        return new Running(agent, agent.start());
    }

    /** An agent that runs. Safe for use by any thread. */
    public static final class Running {
        private final ElasticAgent agent;
        private final CompletableFuture<LaunchResult> result;

        private Running(ElasticAgent agent, CompletableFuture<LaunchResult> result) {
            this.agent = agent;
            this.result = result;
        }

        /** Completes when the agent has ended and cleaned up. */
        public CompletableFuture<LaunchResult> result() {
            return result.copy();
        }

        /**
         * Leaves the round, so that peers go on at once, then stops the workers. A second call does not wait for them.
         *
         * @param reason {@link ExitCode#DRAINED} or {@link ExitCode#INTERRUPTED}: what the agent ends with
         */
        public void drain(ExitCode reason) {
            agent.drain(reason.code());
        }
    }
}
