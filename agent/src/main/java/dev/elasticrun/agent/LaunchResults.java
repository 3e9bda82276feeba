/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** From an agent's last state to what its caller gets. */
final class LaunchResults {
    private LaunchResults() {}

    static LaunchResult of(
            AgentContext context,
            AgentState state,
            @Nullable Verdict verdict,
            RoundHistory history,
            SortedMap<Integer, HandedResult> results,
            RunObserver observer,
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
                context.nodeId(),
                workers,
                state.checkpoints().lost(),
                failures,
                history.answers(),
                Optional.of(summary(context, state, observer)),
                HandedOver.of(results));
    }

    private static RunSummary summary(AgentContext context, AgentState state, RunObserver observer) {
        Round round = state.round();
        Path logs = context.config().logs().directory();
        return new RunSummary(
                context.runId(),
                Duration.ofNanos(System.nanoTime() - context.start().nanos()),
                observer.totals(),
                observer.goodput().ratio(),
                round == null ? 0 : round.budgetUsed(),
                context.settings().restarts().budget(),
                logs.toString(),
                logs.equals(SettingValues.DEFAULTS.get(Settings.LOG_DIR)));
    }
}
