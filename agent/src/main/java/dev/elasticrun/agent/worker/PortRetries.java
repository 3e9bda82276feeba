/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves ports, and tries again where none can be had: descriptors that are used up for a moment are no reason for a
 * node to end. Owned by the loop.
 */
public final class PortRetries {
    private static final Logger LOG = LoggerFactory.getLogger(PortRetries.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** As {@link Ports#reserve}. */
    public interface Reserver {
        public AgentEvent reserve(int workers) throws IOException;
    }

    private final EventLoop loop;
    private final Reserver reserver;
    private final Consumer<AgentEvent> post;
    // Number of the newest request; wanted holds its workers until it is answered.
    private int newest;

    private int wanted;

    public PortRetries(EventLoop loop, Reserver reserver, Consumer<AgentEvent> post) {
        this.loop = loop;
        this.reserver = reserver;
        this.post = post;
    }

    /**
     * Posts the ports reserved for rank 0 and {@code workers} workers, or the end of the agent. One answer also covers
     * an earlier request that is still being retried: of two answers the older one could come last.
     */
    public void reserve(int workers) {
        newest++;
        wanted = Math.max(wanted, workers);
        reserve(newest, loop.nowNanos() + PATIENCE.toNanos(), true);
    }

    private void reserve(int number, long deadlineNanos, boolean isFirst) {
        if (number != newest) {
            return;
        }
        try {
            AgentEvent reserved = reserver.reserve(wanted);
            wanted = 0;
            post.accept(reserved);
        } catch (IOException e) {
            if (loop.nowNanos() - deadlineNanos >= 0) {
                String reason = e.getMessage() + ", for " + PATIENCE.toSeconds() + " s";
                post.accept(new AgentEvent.Aborted(ExitCode.WORKER_FAILURE.code(), reason));
                return;
            }
            if (isFirst) {
                LOG.warn("{}; trying again", e.getMessage());
            }
            loop.schedule(PAUSE, () -> reserve(number, deadlineNanos, false));
        }
    }
}
