/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.trainer.TrainerEndpoint;
import dev.elasticrun.agent.trainer.TrainerPost;
import dev.elasticrun.agent.trainer.TrainerStatus;
import dev.elasticrun.agent.worker.JobProgress;
import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends Kubeflow's Trainer how far the job is: from the node of rank 0, at most every ten seconds, and only what has
 * changed. A failure is logged once, and has no other effect on the run. Owned by the loop.
 */
final class TrainerReporter {
    private static final Logger LOG = LoggerFactory.getLogger(TrainerReporter.class);
    private static final Duration LOOK = Duration.ofSeconds(10);
    /** For the connection, and for the answer: both together are shorter than a look. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final String nodeId;
    private final EventLoop loop;
    private final Supplier<AgentState> state;
    private final Supplier<Map<WorkerGauges.Key, WorkerStatus>> gauges;
    private final Clock clock;
    private final TrainerPost post;
    private boolean isBusy;
    private boolean hasFailed;
    /** Newest that Trainer took; also read when the loop has ended. */
    private volatile @Nullable TrainerStatus taken;

    /**
     * @param state of the agent; asked in the loop
     * @param gauges of the workers; may block, and is asked elsewhere
     */
    TrainerReporter(
            String nodeId,
            TrainerEndpoint endpoint,
            EventLoop loop,
            Supplier<AgentState> state,
            Supplier<Map<WorkerGauges.Key, WorkerStatus>> gauges,
            Clock clock) {
        this.nodeId = nodeId;
        this.post = new TrainerPost(endpoint, LIMIT);
        this.loop = loop;
        this.state = state;
        this.gauges = gauges;
        this.clock = clock;
    }

    /** Continues until the loop ends. */
    void start() {
        if (!isBusy) {
            isBusy = true;
            AgentState now = state.get();
            // Files are read, and the server is waited for, elsewhere: nothing blocks in the loop.
            Daemons.start("trainer-status", () -> report(now), this::failed);
        }
        loop.schedule(LOOK, this::start);
    }

    private void report(AgentState now) {
        try {
            TrainerStatus status = JobProgress.of(now, nodeId, gauges.get())
                    .map(TrainerReporter::status)
                    .orElse(null);
            if (status != null && !status.equals(taken)) {
                post.send(status, clock.instant());
                taken = status;
            }
            loop.execute(() -> isBusy = false);
        } catch (IOException | RuntimeException e) {
            loop.execute(() -> failed(e.toString()));
        }
    }

    private static TrainerStatus status(JobProgress job) {
        Map<String, String> metrics = new LinkedHashMap<>();
        metrics.put("world_size", Integer.toString(job.world()));
        metrics.put("round", Long.toString(job.round()));
        if (job.step() > 0) {
            metrics.put("step", Long.toString(job.step()));
        }
        if (job.total() > 0) {
            metrics.put("total_steps", Long.toString(job.total()));
        }
        if (job.perSecond() > 0) {
            metrics.put("steps_per_second", String.format(Locale.ROOT, "%.3f", job.perSecond()));
        }
        return new TrainerStatus(
                TrainerStatus.percentOf(job.step(), job.total()),
                job.secondsLeft().map(left -> OptionalLong.of(Math.round(left))).orElse(OptionalLong.empty()),
                metrics);
    }

    private void failed(String reason) {
        isBusy = false;
        if (!hasFailed) {
            hasFailed = true;
            LOG.warn("node={} Trainer does not take the job's progress, and is tried again: {}", nodeId, reason);
        }
    }

    /** The job has succeeded: whoever has sent its progress sends its end. Blocks for as long as Trainer takes. */
    void succeeded() {
        TrainerStatus last = taken;
        if (last != null) {
            try {
                post.send(last.succeeded(), clock.instant());
            } catch (IOException | RuntimeException e) {
                LOG.debug("node={} the end of the job is not sent", nodeId, e);
            }
        }
    }
}
