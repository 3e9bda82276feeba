/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.log.LibraryLogs;
import dev.elasticrun.cli.log.LogSetup;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.signal.SignalHandlers;
import dev.elasticrun.tune.pool.PoolAgent;
import dev.elasticrun.tune.pool.PoolListener;
import dev.elasticrun.tune.store.TrialOrder;
import dev.elasticrun.worker.contract.Daemons;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code elastic-run agent}: one agent of a pool, until a signal ends it. */
public final class PoolMember {
    private PoolMember() {}

    /**
     * Returns what the process is to exit with.
     *
     * @param launch without a program
     * @throws UsageException naming all that is wrong; nothing was started
     */
    public static int run(LaunchConfig launch, String pool, Map<String, String> environment) {
        LogSetup.choose(launch.console().level(), launch.console().format(), environment);
        LibraryLogs.redirect();
        try (StudyPlace place = StudyPlace.join(launch, pool)) {
            PoolAgent agent = agent(place, pool, launch);
            List.of("TERM", "HUP", "INT").forEach(signal -> SignalHandlers.install(signal, agent::end));
            agent.run();
            return ExitCode.SUCCEEDED.code();
        } catch (LaunchConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()).lines().toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
    }

    private static PoolAgent agent(StudyPlace place, String pool, LaunchConfig launch) {
        String name = "agent-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime() & 0xffffff);
        return new PoolAgent(place.store(), pool, name, place.key(), launch, new Log(pool));
    }

    /**
     * Starts one in a process that is not its own, whose signals and standard streams are left to that.
     *
     * @param launch the program does not matter
     * @throws UsageException naming all that is wrong; nothing was started
     */
    public static Joined join(LaunchConfig launch, String pool) {
        StudyPlace place = StudyPlace.join(launch, pool);
        Joined joined = new Joined(place, agent(place, pool, launch));
        Daemons.start("pool-agent", joined::run);
        return joined;
    }

    /** An agent of a pool that works. Safe for use by any thread. */
    public static final class Joined {
        private final StudyPlace place;
        private final PoolAgent agent;
        private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

        private Joined(StudyPlace place, PoolAgent agent) {
            this.place = place;
            this.agent = agent;
        }

        private void run() {
            try (place) {
                agent.run();
                ended.complete(null);
            } catch (InterruptedException | RuntimeException | Error e) {
                // Catches errors, too: who waits for the end would wait for ever.
                ended.completeExceptionally(e);
            }
        }

        /** Ends its part in the trial that it works for, and leaves the pool. Returns at once. */
        public void end() {
            agent.end();
        }

        /** Completes when it has left, and all that it started has ended. */
        public CompletableFuture<@Nullable Void> ended() {
            return ended.copy();
        }
    }

    /** Not a constant: the level must be known first. */
    private record Log(String pool) implements PoolListener {
        private static Logger log() {
            return LoggerFactory.getLogger(PoolMember.class);
        }

        @Override
        public void registered(String agent) {
            log().info("agent {} is in pool {}", agent, pool);
        }

        @Override
        public void began(TrialOrder order) {
            log().info("run={} begins: trial {} of study {}", order.run(), order.trial(), order.study());
        }

        @Override
        public void ended(TrialOrder order, int exitCode, String reason) {
            log().info("run={} ended with exit code {}: {}", order.run(), exitCode, reason);
        }

        @Override
        public void refused() {
            log().error("an order for this agent is not proved with the key of pool {}, and not carried out", pool);
        }

        @Override
        public void impossible(TrialOrder order, String why) {
            log().error("run={} cannot be started here: {}", order.run(), why);
        }
    }
}
