/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import dev.elasticrun.worker.contract.WorldChangeEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The messages that workers get. Pure. */
public final class WorkerEvents {
    private WorkerEvents() {}

    /** @param seq of the worker's own channel */
    public static WorkerEvent pause(long seq, AgentEffect.Pause pause, Instant now, RunIdentity identity) {
        return new WorkerEvent(
                seq,
                now,
                new WorkerEvent.RoundId(identity.runId(), identity.incarnation(), pause.round(), pause.world()),
                new WorkerEvent.Change(WorkerState.PAUSED, direction(pause.change()), pause.kind(), pause.cause()),
                null,
                0);
    }

    /** The first event of a worker that has no round yet. */
    public static WorkerEvent firstPause(Instant now, RunIdentity identity) {
        return pause(
                1,
                new AgentEffect.Pause(0, 1, 0, 0, WorldChange.NONE, PauseKind.CHANGE, "no round yet"),
                now,
                identity);
    }

    /** @param cause why there is the round */
    public static WorkerEvent work(
            long seq, Instant now, RunIdentity identity, Round round, String cause, WorkerInfo info) {
        return new WorkerEvent(
                seq,
                now,
                new WorkerEvent.RoundId(identity.runId(), identity.incarnation(), round.number(), round.world()),
                new WorkerEvent.Change(WorkerState.HEALTHY, direction(round.change()), null, cause),
                info,
                round.checkpoint().version());
    }

    private static @Nullable WorldChangeEvent direction(WorldChange change) {
        return switch (change) {
            case NONE -> null;
            case SCALE_UP -> WorldChangeEvent.SCALE_UP;
            case SCALE_DOWN -> WorldChangeEvent.SCALE_DOWN;
        };
    }
}
