/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Optional;

/** Ends a run that only goes from incident to incident. Pure. */
final class ProgressRules {
    private final AgentSettings settings;

    ProgressRules(AgentSettings settings) {
        this.settings = settings;
    }

    Transition onRound(AgentState state, Round round) {
        AgentState next = state.with(
                state.rounds().counted(round, state.checkpoints().newest().run()));
        ProgressBudget budget = next.rounds().budget();
        int limit = settings.restarts().limits().incidents();
        if (limit == 0 || budget.incidents() < limit || state.reports().stopRun() != null || state.isEnding()) {
            return Transition.stay(next);
        }
        String reason = "no progress: " + budget.incidents()
                + " incidents in a row without a new checkpoint (newest version: "
                + budget.checkpoint().version()
                + ", --no-progress-limit is " + limit + ")";
        return Transition.noticed(
                next.with(next.reports().stopping(byTheAgent(round, reason))),
                reason,
                new AgentEffect.Log(new RunEvent.RunStopRequested(Optional.empty(), reason)));
    }

    // A failure without a worker: process id 0 with the exit code of the run.
    private Failure byTheAgent(Round round, String reason) {
        return new Failure(
                new Failure.Worker(settings.nodeId(), settings.node().hostLabel(), 0, 0, -1, 0),
                round.number(),
                ExitCode.NO_PROGRESS.code(),
                Failure.Evidence.of(FailureKind.NO_PROGRESS, reason),
                false,
                0);
    }
}
