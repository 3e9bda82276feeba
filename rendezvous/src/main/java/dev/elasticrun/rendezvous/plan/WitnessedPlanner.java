/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.util.ArrayList;
import java.util.List;

/** A planner whose calls are returned with all that led to their plans. Owned by one thread. */
public final class WitnessedPlanner {
    private final PlannerConfig config;
    private final Witness witness;
    private final Planner planner;

    public WitnessedPlanner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.config = config;
        this.witness = new Witness(strategy);
        this.planner = new Planner(config, witness);
    }

    /** As {@link Planner#plan}. */
    public PlannerCall plan(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
        witness.advice.clear();
        Plan plan = planner.plan(snapshot, gathering, seen, nowNanos);
        PlannerCall.Given given = PlannerCall.Given.of(snapshot, gathering, seen, nowNanos);
        return new PlannerCall(config, witness.name(), given, witness.advice, plan);
    }

    /** As {@link Planner#keptOut}. */
    public List<KeptOut> keptOut(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
        return planner.keptOut(snapshot, gathering, seen, nowNanos);
    }

    /** The policy, and what it was asked since it was cleared. */
    private static final class Witness implements RestartPolicyStrategy {
        private final RestartPolicyStrategy strategy;
        private final List<PlannerCall.Advice> advice = new ArrayList<>();

        Witness(RestartPolicyStrategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public boolean workersOutliveRounds() {
            return strategy.workersOutliveRounds();
        }

        @Override
        public boolean replacesWorkers() {
            return strategy.replacesWorkers();
        }

        @Override
        public boolean elasticWorkers() {
            return strategy.elasticWorkers();
        }

        @Override
        public boolean waitsForWorkers() {
            return strategy.waitsForWorkers();
        }

        @Override
        public RestartDecision decide(GroupView view) {
            RestartDecision decision = strategy.decide(view);
            // Of a policy that returns null there is no answer; the planner objects.
            if (decision != null) {
                advice.add(new PlannerCall.Advice(view, decision));
            }
            return decision;
        }
    }
}
