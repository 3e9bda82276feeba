/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.telemetry.IncidentSpan;
import dev.elasticrun.agent.telemetry.Telemetry;
import dev.elasticrun.agent.telemetry.TelemetryProvider;
import dev.elasticrun.agent.telemetry.TelemetryProviders;
import dev.elasticrun.worker.contract.Daemons;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what sends this agent's metrics and incidents to a collector, if that is configured. A thread of its own opens it
 * concurrently with the rendezvous, so that it does not delay the start, and does all that follows. Safe for use by any
 * thread.
 */
final class AgentTelemetry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentTelemetry.class);
    private static final long CLOSE_WAIT_SECONDS = 2;

    private final AgentContext context;
    private final @Nullable URI collector;
    private final ExecutorService thread;
    // Of the thread.
    private @Nullable Telemetry telemetry;

    AgentTelemetry(AgentContext context) {
        this.context = context;
        this.collector = context.config().http().collector().orElse(null);
        // Has no thread before the first task.
        this.thread = Executors.newSingleThreadExecutor(Daemons.named("telemetry"));
    }

    /** @param metrics has the metrics described */
    void open(Consumer<Telemetry> metrics) {
        URI to = collector;
        if (to != null) {
            execute(() -> {
                Telemetry opened = provider(to).open(origin(), to);
                telemetry = opened;
                metrics.accept(opened);
                LOG.info("node={} telemetry={}", context.nodeId(), to);
            });
        }
    }

    private TelemetryProvider provider(URI to) {
        return TelemetryProviders.find(
                to, context.config().restarts().policyPath().orElse(""));
    }

    private TelemetryProvider.Origin origin() {
        return new TelemetryProvider.Origin(
                context.runId(),
                context.nodeId(),
                context.settings().node().hostLabel(),
                AgentContext.version().orElse(""));
    }

    void incident(IncidentSpan span) {
        if (collector != null) {
            execute(() -> {
                Telemetry opened = telemetry;
                if (opened != null) {
                    opened.incident(span);
                }
            });
        }
    }

    // A run goes on without its telemetry.
    private void execute(Runnable task) {
        try {
            thread.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | LinkageError e) {
                    LOG.warn(
                            "node={} metrics and incidents are not sent to {}: {}",
                            context.nodeId(),
                            collector,
                            String.valueOf(e.getMessage()));
                }
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("closed before {}", task);
        }
    }

    /** Sends what is left, and waits for that, but no more than two seconds. */
    @Override
    public void close() {
        if (collector != null) {
            execute(() -> {
                Telemetry opened = telemetry;
                telemetry = null;
                if (opened != null) {
                    opened.close();
                }
            });
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
