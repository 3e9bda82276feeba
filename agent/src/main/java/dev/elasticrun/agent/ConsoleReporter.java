/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.worker.JobView;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the agent's console what the agent waits for, and on the node of rank 0 the job's progress, unless a listener
 * shows it. Writes nothing where nothing is known. Owned by the loop.
 */
final class ConsoleReporter {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleReporter.class);

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration JOB = Duration.ofSeconds(30);
    private static final Duration SHOWN = Duration.ofSeconds(1);

    private final AgentSettings settings;
    private final EventLoop loop;
    private final AgentMachine machine;
    private final Supplier<WaitView.Surroundings> surroundings;
    private final GaugeReads gauges;
    private final LaunchListener listener;
    private final WaitNews waits = new WaitNews();

    ConsoleReporter(
            AgentSettings settings,
            EventLoop loop,
            AgentMachine machine,
            Supplier<WaitView.Surroundings> surroundings,
            GaugeReads gauges,
            LaunchListener listener) {
        this.settings = settings;
        this.loop = loop;
        this.machine = machine;
        this.surroundings = surroundings;
        this.gauges = gauges;
        this.listener = listener;
    }

    /** Continues until the loop ends. */
    void start() {
        look();
        loop.schedule(listener.showsProgress() ? SHOWN : JOB, this::lookAtJob);
    }

    private void look() {
        long now = loop.nowNanos();
        waits.of(WaitView.of(machine.state(), settings, surroundings.get()), now)
                .ifPresent(line -> LOG.info("{}", line));
        loop.schedule(LOOK, this::look);
    }

    private void lookAtJob() {
        gauges.read(read -> report(JobView.of(machine.state(), settings.nodeId(), read)));
        loop.schedule(listener.showsProgress() ? SHOWN : JOB, this::lookAtJob);
    }

    private void report(Optional<String> job) {
        if (listener.showsProgress()) {
            listener.progress(machine.state().isEnding() ? "" : job.orElse(""));
        } else {
            job.ifPresent(line -> LOG.info("{}", line));
        }
    }
}
