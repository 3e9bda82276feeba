/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.channel.PeerTableWriter;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.context.RuntimeFailedException;
import dev.elasticrun.agent.directory.AgentDirectories;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.EventDelivery;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The effects on worker processes and their channels. Called by the agent's loop; results are posted as events from
 * other threads. One group lives at a time.
 */
public final class WorkerGroups {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroups.class);

    private final AgentSettings settings;
    private final Consumer<AgentEvent> post;
    private final RoundPreparation preparation;
    private final WorkerLogs logs;
    private final WorkerChannels channels;
    private final WorkerWatch watch;
    private final ClassDataArchive classData;
    private final WorkerStarter starter;
    private final WorkerStops stops;
    private final List<WorkerHandle> current = new ArrayList<>();

    public WorkerGroups(
            AgentContext context,
            EventLoop loop,
            AgentDirectories directories,
            ProcessLauncher launcher,
            RoundPreparation preparation,
            WorkerLogs logs,
            Consumer<AgentEvent> post,
            ResultKeeper results,
            Consumer<RunEvent> journal) {
        this.settings = context.settings();
        this.post = post;
        this.preparation = preparation;
        this.logs = logs;
        // Before the pause time-out, so that the failure is reported as what it is.
        EventDelivery delivery = new EventDelivery(
                loop,
                new PeerTableWriter(directories.run().path()),
                directories.run().fillBallast(),
                settings.times().pause().dividedBy(2),
                this::onUnreachable);
        this.channels = new WorkerChannels(
                context.nodeId(),
                delivery,
                Clock.systemUTC(),
                preparation::values,
                context.tls().isPresent(),
                current);
        this.watch = new WorkerWatch(context, logs, post, results);
        this.classData =
                new ClassDataArchive(context, loop, directories.temporaries().classData(), launcher, journal);
        this.starter = new WorkerStarter(context, directories, launcher, channels, watch, classData);
        this.stops = new WorkerStops(post);
    }

    public void start(AgentEffect.StartGroup start, @Nullable RunIdentity identity, int restartCount) {
        Round round = start.round();
        closeChannels();
        current.clear();
        if (round != null && identity != null) {
            try {
                begin(round, identity);
            } catch (RuntimeFailedException e) {
                LOG.error("round={}", round.number(), e);
                for (int slot = 0; slot < settings.processes(); slot++) {
                    current.add(starter.fail(slot, start.generation(), e));
                }
                return;
            }
            channels.peers(round);
        }
        for (int slot = 0; slot < settings.processes(); slot++) {
            WorkerEvent first =
                    round == null || identity == null ? null : channels.firstWork(round, slot, start.cause(), identity);
            current.add(starter.start(slot, start.generation(), first, identity, restartCount));
        }
    }

    /**
     * The workers in these slots are gone; fresh ones take their place among the others.
     *
     * @param yields whether others work meanwhile
     */
    public void replace(
            AgentEffect.ReplaceWorkers replace, @Nullable RunIdentity identity, int restartCount, boolean yields) {
        for (int slot : replace.slots()) {
            current.get(slot).writer().close();
            WorkerEvent first = replace.pause() && identity != null ? channels.firstPause(identity) : null;
            current.set(slot, starter.start(slot, replace.generation(), first, identity, restartCount, yields));
        }
    }

    public void stop(int generation, Duration grace) {
        current.forEach(worker -> worker.asked().set(true));
        watch.stopping();
        stops.stop(generation, List.copyOf(current), grace);
    }

    /** Kills the worker with all of its group; it ends as if it had done so by itself. */
    public void kill(int slot, int attempt) {
        WorkerHandle worker = current.get(slot);
        if (worker.attempt() == attempt) {
            worker.asked().set(true);
            stops.kill(worker);
        }
    }

    /** The agent was asked to leave: what ends from now on was meant to. */
    public void leaving() {
        watch.leaving();
    }

    /** Ends every grace period. */
    public void force() {
        stops.force();
    }

    public void pause(AgentEffect.Pause pause, RunIdentity identity) {
        watch.paused();
        channels.pause(pause, identity);
    }

    public void work(AgentEffect.Work work, RunIdentity identity) {
        try {
            begin(work.round(), identity);
        } catch (RuntimeFailedException e) {
            LOG.error("round={}", work.round().number(), e);
            // One is enough: those that do not go with it work in the next round.
            current.stream()
                    .filter(worker -> !worker.gone())
                    .findFirst()
                    .ifPresent(worker -> fail(worker, String.valueOf(e.getMessage())));
            return;
        }
        channels.work(work, identity);
    }

    public WorkerChannels channels() {
        return channels;
    }

    // A worker that cannot receive events any more fails, and the policy answers.
    private void onUnreachable(WorkerHandle worker, String reason) {
        LOG.error("worker={} attempt={} {}", worker.slot(), worker.attempt(), reason);
        fail(worker, reason);
    }

    private void fail(WorkerHandle worker, String reason) {
        post.accept(new AgentEvent.WorkerFault(
                worker.attempt(), worker.slot(), Failure.Evidence.of(FailureKind.UNREACHABLE, reason)));
        worker.process().thenAccept(process -> process.signalGroup(GroupSignal.KILL));
    }

    private void begin(Round round, RunIdentity identity) throws RuntimeFailedException {
        Participant self = round.participant(settings.nodeId()).orElseThrow();
        preparation.prepare(round, identity);
        watch.working(round.number(), self.firstRank() / self.spec().slots());
        logs.working(self);
        classData.working();
    }

    private void closeChannels() {
        current.forEach(worker -> worker.writer().close());
    }

    /** How far the workers are; callable by any thread. */
    public WorkerGauges gauges() {
        return watch.gauges();
    }

    /** Closes the channels. Called outside the loop, which has ended. */
    public void close() {
        closeChannels();
        watch.close();
        classData.close();
    }
}
