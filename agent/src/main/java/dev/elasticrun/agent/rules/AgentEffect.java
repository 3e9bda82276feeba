/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something to be done outside the agent's state. Carried out in order; results come back as events. */
public sealed interface AgentEffect {

    /** @param workers whether each worker needs a port too */
    record ReservePorts(boolean workers) implements AgentEffect {}

    /**
     * @param round the round that the group works in, under {@code hard}; null = the first event is PAUSE
     * @param cause why there is the round, as published to workers; empty without one
     * @param sources as of {@link Work}
     */
    record StartGroup(int generation, @Nullable Round round, String cause, List<StateSource> sources)
            implements AgentEffect {
        public StartGroup {
            sources = List.copyOf(sources);
        }

        /** Beside the rendezvous: the first event is PAUSE. */
        static StartGroup paused(int generation) {
            return new StartGroup(generation, null, "", List.of());
        }
    }

    /**
     * Starts workers in slots whose worker is gone; the others of the group run on.
     *
     * @param generation of the group from now on, and the attempt of the fresh workers
     * @param pause whether their first event is a PAUSE, instead of the group's newest event
     */
    record ReplaceWorkers(int generation, List<Integer> slots, boolean pause) implements AgentEffect {
        public ReplaceWorkers {
            slots = List.copyOf(slots);
        }
    }

    /** Kills one worker with all of its process group, without grace. */
    record KillWorker(int slot, int attempt) implements AgentEffect {}

    record StopGroup(int generation, Duration grace) implements AgentEffect {}

    /** Sends PAUSE to all workers of the group; {@code seq} counts the events of the group. */
    record Pause(int generation, long seq, long round, long world, WorldChange change, PauseKind kind, String cause)
            implements AgentEffect {}

    /**
     * Sends WORK for the round to all workers of the group; {@code seq} counts the events of the group.
     *
     * @param cause why there is the round, as published to workers
     * @param sources nodes from which to fetch a checkpoint first, the newest first; empty = this node has what it needs
     */
    record Work(int generation, long seq, Round round, String cause, List<StateSource> sources) implements AgentEffect {
        public Work {
            sources = List.copyOf(sources);
        }

        /** What the workers receive under its number if it is overtaken while a checkpoint is fetched. */
        public Pause overtaken() {
            return new Pause(generation, seq, round.number(), round.world(), WorldChange.NONE, PauseKind.CHANGE, cause);
        }
    }

    /** Has the run remember that this checkpoint was completed, or that all were lost. */
    record NoteCheckpoint(RunVersion newest) implements AgentEffect {}

    /** Posts the event after a while. */
    record Schedule(Duration delay, AgentEvent event) implements AgentEffect {}

    /** Writes the event to the log. */
    record Log(RunEvent event) implements AgentEffect {}

    /** Leaves the rendezvous and ends the agent. */
    record Finish(int exitCode, String reason) implements AgentEffect {}
}
