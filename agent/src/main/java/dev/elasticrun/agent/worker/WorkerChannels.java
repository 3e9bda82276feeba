/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.channel.FileChannelWriter;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.rules.EventDelivery;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Writes to the workers of a node, by their channels and the files beside them. Called by the agent's loop. */
public final class WorkerChannels {
    private final String nodeId;
    private final EventDelivery delivery;
    private final Clock clock;
    private final IntFunction<Map<String, String>> runtimeValues;
    private final boolean meetsOthers;
    private final Collection<WorkerHandle> workers;
    private long leaseDeadlineNanos = Long.MAX_VALUE;
    private long sealedRound;

    /**
     * @param runtimeValues the values of the run's runtime for the worker of a rank in the round that it works in
     * @param meetsOthers whether new workers call those of a round without this node, before they are ready for the
     *     next one
     * @param workers of this node, as they are at any moment
     */
    WorkerChannels(
            String nodeId,
            EventDelivery delivery,
            Clock clock,
            IntFunction<Map<String, String>> runtimeValues,
            boolean meetsOthers,
            Collection<WorkerHandle> workers) {
        this.nodeId = nodeId;
        this.delivery = delivery;
        this.clock = clock;
        this.runtimeValues = runtimeValues;
        this.meetsOthers = meetsOthers;
        this.workers = Collections.unmodifiableCollection(workers);
    }

    /** The first event of a worker that is started in a round. */
    WorkerEvent firstWork(Round round, int slot, String cause, RunIdentity identity) {
        return workEvent(1, round, slot, cause, identity);
    }

    /** The first event of a worker that replaces another one, whose peers are paused. */
    WorkerEvent firstPause(RunIdentity identity) {
        return WorkerEvents.firstPause(clock.instant(), identity);
    }

    /** The channel of a worker that is to be started, with all that it has to know from the start. */
    FileChannelWriter open(ChannelLayout layout, @Nullable WorkerEvent first) throws IOException {
        if (first != null && first.workerInfo() != null) {
            delivery.writePeers();
        }
        FileChannelWriter writer = FileChannelWriter.open(layout);
        writer.leaseDeadline(leaseDeadlineNanos);
        writer.sealedRound(sealedRound);
        if (first != null) {
            writer.publish(first);
        }
        return writer;
    }

    /** Makes room where channels are; false when none can be made. */
    public boolean makeRoom() {
        return delivery.makeRoom();
    }

    void pause(AgentEffect.Pause pause, RunIdentity identity) {
        for (WorkerHandle worker : of(pause.generation())) {
            add(worker, WorkerEvents.pause(worker.writer().nextSeq(), pause, clock.instant(), identity));
        }
        delivery.deliver(workers);
    }

    void work(AgentEffect.Work work, RunIdentity identity) {
        Round round = work.round();
        peers(round);
        Participant own = round.participant(nodeId).orElseThrow();
        for (WorkerHandle worker : of(work.generation())) {
            long seq = worker.writer().nextSeq();
            // All have the same numbers of events, with or without a rank.
            boolean hasRank = own.rankOf(worker.slot(), worker.attempt()).isPresent();
            add(
                    worker,
                    hasRank
                            ? workEvent(seq, round, worker.slot(), work.cause(), identity)
                            : WorkerEvents.pause(seq, work.overtaken(), clock.instant(), identity));
        }
        delivery.deliver(workers);
    }

    // Those that were started after the event was decided have another one in its stead.
    private List<WorkerHandle> of(int generation) {
        return workers.stream().filter(worker -> worker.attempt() <= generation).toList();
    }

    private WorkerEvent workEvent(long seq, Round round, int slot, String cause, RunIdentity identity) {
        WorkerInfo info = WorkerInfos.of(round, nodeId, slot, runtimeValues);
        return WorkerEvents.work(seq, clock.instant(), identity, round, cause, info);
    }

    /** Publishes the addresses of the round's workers: written before the first of them receives the round. */
    void peers(Round round) {
        delivery.peers(WorkerInfos.peers(round));
    }

    /** @param deadlineNanos until when the workers work, on {@link System#nanoTime()}, unless a later one follows */
    public void leaseDeadline(long deadlineNanos) {
        leaseDeadlineNanos = deadlineNanos;
        for (WorkerHandle worker : workers) {
            worker.writer().leaseDeadline(deadlineNanos);
            delivery.lookAt(worker);
        }
    }

    /** The newest round of the run. Workers that are new to it are to find the others' table when they see its number. */
    public void sealedRound(Round round) {
        if (meetsOthers
                && round.participants().stream()
                        .noneMatch(member -> member.nodeId().equals(nodeId))) {
            delivery.others(WorkerInfos.peers(round));
        }
        sealedRound = round.number();
        workers.forEach(worker -> worker.writer().sealedRound(sealedRound));
    }

    private static void add(WorkerHandle worker, WorkerEvent event) {
        if (!worker.gone()) {
            worker.writer().add(event);
        }
    }
}
