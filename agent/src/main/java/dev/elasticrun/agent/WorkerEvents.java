/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import dev.elasticrun.worker.contract.WorldChangeEvent;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages that workers get. Pure. */
final class WorkerEvents {
    private WorkerEvents() {}

    static WorkerEvent pause(AgentEffect.Pause pause, Instant now, RunIdentity identity) {
        return new WorkerEvent(
                pause.seq(),
                now,
                identity.runId(),
                identity.incarnation(),
                pause.round(),
                pause.world(),
                WorkerState.PAUSED,
                change(pause.change()),
                PauseKind.CHANGE,
                pause.cause(),
                null,
                0,
                Map.of());
    }

    static WorkerEvent work(long seq, Instant now, RunIdentity identity, Round round, WorkerInfo info) {
        return new WorkerEvent(
                seq,
                now,
                identity.runId(),
                identity.incarnation(),
                round.number(),
                round.world(),
                WorkerState.HEALTHY,
                change(round.change()),
                null,
                round.cause(),
                info,
                round.highestVersion(),
                Map.of());
    }

    private static @Nullable WorldChangeEvent change(WorldChange change) {
        return switch (change) {
            case NONE -> null;
            case SCALE_UP -> WorldChangeEvent.SCALE_UP;
            case SCALE_DOWN -> WorldChangeEvent.SCALE_DOWN;
        };
    }
}
