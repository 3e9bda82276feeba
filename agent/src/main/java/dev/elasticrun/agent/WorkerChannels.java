/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.process.FileChannelWriter;
import dev.elasticrun.agent.process.PeerTableWriter;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What the workers of a node are told, by their channels and the files beside them. Called by the agent's loop. */
final class WorkerChannels {
    private final String nodeId;
    private final PeerTableWriter peerTables;
    private final Clock clock;
    private final IntFunction<Map<String, String>> runtimeValues;
    private long leaseDeadlineNanos = Long.MAX_VALUE;
    private long sealedRound;

    /**
     * @param directory that of the node, in which channels are
     * @param runtimeValues what the run's runtime tells the worker of a rank in the round that it works in
     */
    WorkerChannels(String nodeId, Path directory, Clock clock, IntFunction<Map<String, String>> runtimeValues) {
        this.nodeId = nodeId;
        this.peerTables = new PeerTableWriter(directory);
        this.clock = clock;
        this.runtimeValues = runtimeValues;
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
        FileChannelWriter writer = FileChannelWriter.open(layout);
        writer.leaseDeadline(leaseDeadlineNanos);
        writer.sealedRound(sealedRound);
        if (first != null) {
            writer.publish(first);
        }
        return writer;
    }

    void pause(Collection<WorkerHandle> workers, AgentEffect.Pause pause, RunIdentity identity) {
        for (WorkerHandle worker : workers) {
            publish(worker, WorkerEvents.pause(worker.writer().nextSeq(), pause, clock.instant(), identity));
        }
    }

    void work(Collection<WorkerHandle> workers, AgentEffect.Work work, RunIdentity identity) {
        Round round = work.round();
        peers(round);
        for (WorkerHandle worker : workers) {
            publish(worker, workEvent(worker.writer().nextSeq(), round, worker.slot(), work.cause(), identity));
        }
    }

    private WorkerEvent workEvent(long seq, Round round, int slot, String cause, RunIdentity identity) {
        WorkerInfo info = WorkerInfos.of(round, nodeId, slot, runtimeValues);
        return WorkerEvents.work(seq, clock.instant(), identity, round, cause, info);
    }

    /** Where the round's workers find each other. */
    void peers(Round round) {
        try {
            peerTables.write(WorkerInfos.peers(round));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the peers of round " + round.number(), e);
        }
    }

    void leaseDeadline(Collection<WorkerHandle> workers, long deadlineNanos) {
        leaseDeadlineNanos = deadlineNanos;
        workers.forEach(worker -> worker.writer().leaseDeadline(deadlineNanos));
    }

    void sealedRound(Collection<WorkerHandle> workers, long round) {
        sealedRound = round;
        workers.forEach(worker -> worker.writer().sealedRound(round));
    }

    private static void publish(WorkerHandle worker, WorkerEvent event) {
        if (worker.gone()) {
            return;
        }
        try {
            worker.writer().publish(event);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot tell worker " + worker.slot() + " about round " + event.round(), e);
        }
    }
}
