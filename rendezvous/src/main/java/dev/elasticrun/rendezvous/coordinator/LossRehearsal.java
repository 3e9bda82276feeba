/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.Observations;
import dev.elasticrun.rendezvous.plan.Plan;
import dev.elasticrun.rendezvous.plan.PlannerConfig;
import dev.elasticrun.rendezvous.plan.Snapshot;
import dev.elasticrun.rendezvous.plan.WitnessedPlanner;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.HardRestart;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftElastic;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs that are made up: nodes join, one of them is lost, and the next round is decided and encoded. An agent that is elected
 * because the coordinator has died decides at once, while all workers wait: it has loaded and run that code then. Any one
 * thread; it changes nothing, and asks no policy of a user's.
 */
public final class LossRehearsal {
    private static final int NODES = 3;
    /** Enough to be compiled for the first time, in a fraction of a second. */
    private static final int RUNS = 30;

    private static final int MAX_PLANS = 40;
    private static final Duration STEP = Duration.ofSeconds(1);

    private final WitnessedPlanner planner;
    private final RunSpec spec;
    private final NodeRecord model;

    /**
     * @param spec of this run
     * @param policy of this run
     * @param model a node of this run
     */
    public LossRehearsal(PlannerConfig config, RunSpec spec, RestartPolicyStrategy policy, NodeRecord model) {
        this.planner = new WitnessedPlanner(config, like(policy));
        this.spec = new RunSpec(
                spec.incarnation(), spec.terms().withNodes(new NodeBounds(1, NODES)), new byte[0], new byte[0], 0);
        this.model = model;
    }

    private static RestartPolicyStrategy like(RestartPolicyStrategy policy) {
        if (!policy.workersOutliveRounds()) {
            return new HardRestart();
        }
        if (policy.elasticWorkers()) {
            return new SoftElastic();
        }
        return policy.replacesWorkers() ? new SoftReplace() : new SoftNoReplace();
    }

    /** Plays all of them. */
    public void play() {
        for (int i = 0; i < RUNS; i++) {
            playOne();
        }
    }

    /** The rounds of one run, in order. */
    List<Round> playOne() {
        Play play = new Play();
        play.plan(nodes(0, null));
        Round first = play.newest;
        if (first != null) {
            play.plan(nodes(1, first));
        }
        return play.rounds;
    }

    /** @param works null = none does */
    private List<Node> nodes(int from, @Nullable Round works) {
        return IntStream.range(from, NODES).mapToObj(i -> node(i, works)).toList();
    }

    private Node node(int index, @Nullable Round works) {
        NodeSpec named = model.spec();
        long acknowledged = works == null ? 0 : works.number();
        // The endpoint of the first round cannot be that of the second one.
        int masterPort = 1 + index + NODES * (int) acknowledged;
        NodeRecord record = new NodeRecord(
                new NodeSpec(
                        "rehearsal-" + index,
                        named.hostLabel(),
                        named.address(),
                        named.controlPort(),
                        named.role(),
                        named.slots()),
                works == null ? NodePhase.READY : NodePhase.ACTIVE,
                new NodeRecord.Group(model.generation(), model.group().workers(), List.of(), masterPort),
                // Under hard the processes of a round are gone as soon as it is suspended.
                new NodeRecord.Rounds(acknowledged, acknowledged + 1),
                NodeRecord.Reports.NONE,
                model.checkpoint(),
                NodeRecord.Publication.NONE);
        NodeRecord read = RecordCodec.decodeNode(RecordCodec.encode(record, spec.incarnation()));
        return new Node(read, index + 1);
    }

    /** One run, on a clock of its own. */
    private final class Play {
        private final List<Round> rounds = new ArrayList<>();
        private long nowNanos;
        private Gathering gathering = Gathering.nothing(nowNanos);
        private Observations seen = Observations.begin(nowNanos);
        private @Nullable Round newest;

        /** Until there is a new round, or nothing is to be done. */
        void plan(List<Node> nodes) {
            long before = rounds.size();
            for (int i = 0; i < MAX_PLANS && (rounds.size() == before || isSuspended()); i++) {
                plan(new Snapshot(spec, nodes, newest, null, List.of()));
                nowNanos += STEP.toNanos();
            }
        }

        private boolean isSuspended() {
            return newest != null && newest.suspended();
        }

        private void plan(Snapshot snapshot) {
            seen = seen.next(snapshot, 0, nowNanos);
            Plan plan = planner.plan(snapshot, gathering, seen, nowNanos).plan();
            gathering = plan.gathering();
            planner.keptOut(snapshot, gathering, seen, nowNanos);
            if (plan.decision() instanceof Decision.Publish publish) {
                newest = publish.round();
                rounds.add(publish.round());
                RecordCodec.encode(publish.round(), spec.incarnation());
            }
        }
    }
}
