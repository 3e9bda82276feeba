/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.Optional;
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
        return new Running(config);
    }

    /** An agent that runs. Safe for use by any thread. */
    public static final class Running {
        private final CompletableFuture<LaunchResult> result = new CompletableFuture<>();
        // Guarded by this: another agent takes the place of one that would not have encrypted as the run does.
        private ElasticAgent agent;
        private boolean drained;

        private Running(LaunchConfig config) {
            agent = new ElasticAgent(config);
            follow(config, agent);
        }

        private void follow(LaunchConfig config, ElasticAgent started) {
            started.start().whenComplete((ended, error) -> {
                if (error != null) {
                    result.completeExceptionally(error);
                } else if (!startsOver(config, started)) {
                    result.complete(ended);
                }
            });
        }

        private synchronized boolean startsOver(LaunchConfig config, ElasticAgent ended) {
            Optional<Boolean> encrypted = ended.adopted();
            if (encrypted.isEmpty() || drained) {
                return false;
            }
            try {
                LaunchConfig adopted = Encryption.adopt(config, encrypted.get());
                agent = new ElasticAgent(adopted);
                follow(adopted, agent);
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
            return true;
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
        public synchronized void drain(ExitCode reason) {
            drained = true;
            agent.drain(reason.code());
        }
    }
}
