/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.launch.Encryption;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.rendezvous.record.Command;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

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
        return start(config, LaunchListener.NONE);
    }

    /**
     * Starts the agent of this node.
     *
     * @param listener receives events and progress of this node
     */
    public static Running start(LaunchConfig config, LaunchListener listener) {
        return start(config, listener, UnaryOperator.identity());
    }

    /**
     * Starts the agent of this node, with workers in processes that can outlive it.
     *
     * @param workers what starts its workers, from what starts processes that end with it: see {@link
     *     dev.elasticrun.agent.process.ReusableWorkers#over}
     */
    public static Running start(LaunchConfig config, LaunchListener listener, UnaryOperator<ProcessLauncher> workers) {
        return new Running(config, listener, workers);
    }

    /** An agent that runs. Safe for use by any thread. */
    public static final class Running {
        private final CompletableFuture<LaunchResult> result = new CompletableFuture<>();
        // An agent that ends leaves some of them open.
        private final Map<Long, CompletableFuture<?>> questions = new ConcurrentHashMap<>();
        private final AtomicLong asked = new AtomicLong();
        // Of each agent here: a run that succeeds while one starts over is the run that was asked for.
        private final long startedNanos = System.nanoTime();
        private final LaunchListener listener;
        private final UnaryOperator<ProcessLauncher> workers;
        // Guarded by this: another agent takes the place of one that would not have encrypted as the run does.
        private ElasticAgent agent;
        private boolean drained;

        private Running(LaunchConfig config, LaunchListener listener, UnaryOperator<ProcessLauncher> workers) {
            this.listener = listener;
            this.workers = workers;
            agent = new ElasticAgent(config, startedNanos, listener, workers);
            follow(config, agent);
        }

        private void follow(LaunchConfig config, ElasticAgent started) {
            started.start().whenComplete((ended, error) -> {
                if (error != null) {
                    result.completeExceptionally(error);
                } else if (!startsOver(config, started)) {
                    result.complete(ended);
                }
                questions.values().forEach(Running::endedBefore);
            });
        }

        private synchronized boolean startsOver(LaunchConfig config, ElasticAgent ended) {
            Optional<Boolean> encrypted = ended.adopted();
            if (encrypted.isEmpty() || drained) {
                return false;
            }
            try {
                LaunchConfig adopted = Encryption.adopt(config, encrypted.get());
                agent = new ElasticAgent(adopted, startedNanos, listener, workers);
                follow(adopted, agent);
            } catch (RuntimeException | Error e) {
                // Catches errors, too: otherwise the error would be lost, and the caller would wait for ever.
                result.completeExceptionally(e);
            }
            return true;
        }

        /** The name of the run: that of the configuration, or a random one. */
        public synchronized String runId() {
            return agent.runId();
        }

        /** The name of this node in the run. */
        public synchronized String nodeId() {
            return agent.nodeId();
        }

        /** Where the logs of the run's nodes on this host are, in a directory each; what is in it is made as the run goes on. */
        public synchronized Path logDirectory() {
            return agent.logDirectory();
        }

        /**
         * Where this agent serves the page about the run, if {@code dashboardPort} was given; empty otherwise, and until the
         * port is bound. Does not block.
         */
        public synchronized Optional<URI> dashboard() {
            return agent.dashboard();
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
         * Leaves the round, so that peers continue at once, then stops the workers. A second call does not wait for
         * them.
         *
         * @param reason {@link ExitCode#DRAINED} or {@link ExitCode#INTERRUPTED}: what the agent ends with
         * @throws IllegalArgumentException for any other reason
         */
        public synchronized void drain(ExitCode reason) {
            if (reason != ExitCode.DRAINED && reason != ExitCode.INTERRUPTED) {
                throw new IllegalArgumentException("reason: " + reason + " (expected: DRAINED or INTERRUPTED)");
            }
            drained = true;
            agent.drain(reason.code());
        }

        /**
         * The whole run at this moment: its agents are asked. Completes on any thread within seconds, exceptionally with an
         * {@link IllegalStateException} while the run is not joined yet or when this agent has ended, and with another
         * exception when the store does not answer.
         */
        public CompletableFuture<LaunchStatus> status() {
            return ask(ElasticAgent::status);
        }

        /**
         * Ends the whole run on all nodes in good order, as {@code elastic-run stop} does: workers get TERM and their time to
         * stop, and every agent ends with 143. To leave a run that goes on without this node is {@link #drain}.
         *
         * @return completes when the run has the order: {@link #result} follows. Completes exceptionally with an
         *     {@link IllegalStateException} that states why if it has not: before the run is joined, or when this agent has
         *     ended or leaves
         */
        public CompletableFuture<Void> stop() {
            Command order = Command.stop(UUID.randomUUID().toString(), System.getProperty("user.name", ""));
            return ask(current -> current.ask(order)).thenAccept(outcome -> {
                if (!outcome.accepted()) {
                    throw new IllegalStateException("the run is not stopped: " + outcome.text());
                }
            });
        }

        private <T> CompletableFuture<T> ask(Function<ElasticAgent, CompletableFuture<T>> question) {
            CompletableFuture<T> answer;
            synchronized (this) {
                answer = question.apply(agent);
            }
            Long number = asked.incrementAndGet();
            questions.put(number, answer);
            answer.whenComplete((known, error) -> questions.remove(number));
            if (result.isDone()) {
                endedBefore(answer);
            }
            return answer;
        }

        private static void endedBefore(CompletableFuture<?> question) {
            question.completeExceptionally(new IllegalStateException("the agent has ended"));
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
