/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Map;
import java.util.Optional;

/**
 * How far the job is, as reported by rank 0.
 *
 * @param step 0 = the program reports none
 * @param total planned steps; 0 = not known
 * @param perSecond steps; not positive = not known
 */
public record JobProgress(long round, int world, long step, long total, double perSecond) {

    /** Empty where rank 0 works elsewhere, or nobody works. */
    public static Optional<JobProgress> of(
            AgentState state, String nodeId, Map<WorkerGauges.Key, WorkerStatus> gauges) {
        Round round = state.round();
        if (round == null) {
            return Optional.empty();
        }
        return state.seatOfRank0(nodeId)
                .map(first ->
                        gauges.getOrDefault(new WorkerGauges.Key(first.slot(), first.attempt()), LiveStatus.UNKNOWN))
                .map(gauge -> new JobProgress(
                        round.number(),
                        round.worldSize(),
                        gauge.getStep(),
                        gauge.getTotal(),
                        gauge.getStepsPerSecond()));
    }

    /** Until the last of the planned steps; empty = not known. */
    public Optional<Double> secondsLeft() {
        return perSecond > 0 && step > 0 && total > 0
                ? Optional.of(Math.max(0, total - step) / perSecond)
                : Optional.empty();
    }
}
