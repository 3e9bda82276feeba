/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Verdict;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From an agent's last state to what its caller gets. Pure. */
final class LaunchResults {
    private LaunchResults() {}

    static LaunchResult of(
            AgentSettings settings,
            AgentState state,
            @Nullable Verdict verdict,
            RoundHistory history,
            int exitCode,
            String reason) {
        List<LaunchResult.WorkerResult> workers = state.group().workers().stream()
                .map(worker -> {
                    Integer code = worker.exitCode();
                    return new LaunchResult.WorkerResult(
                            worker.slot(),
                            worker.is(WorkerView.Mark.WORKED) ? history.rank(worker.slot(), worker.attempt()) : -1,
                            worker.attempt(),
                            code == null ? -1 : code);
                })
                .toList();
        List<Failure> failures = verdict != null ? verdict.failures() : List.of();
        if (failures.isEmpty() && exitCode != 0) {
            failures = state.group().failures().stream()
                    .sorted(Comparator.comparing(Failure::collateral))
                    .toList();
        }
        return new LaunchResult(
                exitCode,
                reason,
                settings.nodeId(),
                workers,
                state.checkpoints().lost(),
                failures,
                history.answers());
    }
}
