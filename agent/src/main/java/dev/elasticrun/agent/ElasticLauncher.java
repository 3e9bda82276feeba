/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Starts this node's agent from Java; what the command does, too. */
public final class ElasticLauncher {
    private ElasticLauncher() {}

    /**
     * Runs the agent of this node until the run ends, and leaves nothing behind. Blocks.
     *
     * <p>An interrupt drains the agent, and this method returns only when that is done: within the grace of the workers
     * ({@code shutdownTimeout}), or at once after a second interrupt.
     *
     * @throws LaunchInterruptedException when the caller was interrupted; it has the result
     */
    public static LaunchResult launch(LaunchConfig config) throws InterruptedException {
        Running running = start(config);
        boolean interrupted = false;
        while (true) {
            try {
                LaunchResult result = running.result().get();
                if (interrupted) {
                    throw new LaunchInterruptedException(result);
                }
                return result;
            } catch (LaunchInterruptedException e) {
                throw e;
            } catch (InterruptedException e) {
                interrupted = true;
                running.drain(ExitCode.INTERRUPTED);
            } catch (ExecutionException e) {
                throw new IllegalStateException("the agent failed", e.getCause());
            }
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

        /**
         * Completes when the agent has ended and cleaned up. To cancel it is to drain the agent with
         * {@link ExitCode#INTERRUPTED}: {@code cancel} returns false, and the future completes with the result of the drain.
         */
        public CompletableFuture<LaunchResult> result() {
            DrainingFuture future = new DrainingFuture(this);
            result.whenComplete((ended, error) -> {
                if (error == null) {
                    future.complete(ended);
                } else {
                    future.completeExceptionally(error);
                }
            });
            return future;
        }

        /**
         * Leaves the round, so that peers go on at once, then stops the workers. A second call does not wait for them.
         *
         * @param reason {@link ExitCode#DRAINED} or {@link ExitCode#INTERRUPTED}: what the agent ends with
         * @throws IllegalArgumentException for any other reason
         */
        public void drain(ExitCode reason) {
            if (reason != ExitCode.DRAINED && reason != ExitCode.INTERRUPTED) {
                throw new IllegalArgumentException("reason: " + reason + " (expected: DRAINED or INTERRUPTED)");
            }
            agent.drain(reason.code());
        }
    }

    private static final class DrainingFuture extends CompletableFuture<LaunchResult> {
        private final Running running;

        DrainingFuture(Running running) {
            this.running = running;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!isDone()) {
                running.drain(ExitCode.INTERRUPTED);
            }
            return false;
        }
    }
}
