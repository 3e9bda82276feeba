/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * The loop of all ranks: vote on the last boosting, then commit it or form a group, then boost.
 *
 * <p>The next step of all ranks depends on results of the run's own collective alone, never on XGBoost's group: after a
 * loss its survivors may have come to different places. So a worker that takes another's place and repeats completed
 * operations states in each that it has nothing, receives the recorded results of the others, and boosts from the first
 * vote on that is held with it.
 */
final class Trainer {
    private final TrainingPlan plan;
    private final Host host;
    private final TrainingState training = new TrainingState();
    private final ElasticState state = ElasticState.of(training);
    private final ShardKeeper shards;
    private final Failures failures = new Failures();
    private int reported;

    Trainer(TrainingPlan plan, Host host) {
        this.plan = plan;
        this.host = host;
        shards = new ShardKeeper(plan);
    }

    ElasticState state() {
        return state;
    }

    /** Everything that can be done before there is a round. */
    void prepare() throws Exception {
        shards.preload();
    }

    /** What was trained; at the end. */
    TrainedModel model() {
        return new TrainedModel(
                training.model(),
                training.round(),
                training.bestRound(),
                Collections.unmodifiableMap(training.history()),
                training.runRounds());
    }

    /** From the state's last commit to the end, or until the world changes. */
    void work(Collective collective) throws Exception {
        requireTracker(collective);
        NativeGroup group = new NativeGroup(plan);
        try {
            Optional<byte[]> boosted = Optional.empty();
            boolean isDone = isOver();
            while (!isDone) {
                Vote vote = Vote.hold(collective, boosted, failures.count(collective.round()));
                if (!vote.isOneModel()) {
                    throw host.stop(divergence(collective, boosted));
                }
                if (vote.isGood() && commit(collective, vote, boosted)) {
                    isDone = isOver();
                } else {
                    group.leave();
                    state.restore();
                    if (vote.failures() >= Failures.LIMIT) {
                        throw host.stop(failure(collective));
                    }
                    form(collective, group);
                }
                boosted = isDone ? Optional.empty() : boost(group);
            }
        } finally {
            // However it ends: others may wait for this worker in native code until its connections break.
            group.leave();
        }
        plan.listener().finished(model(), collective.workerInfo());
    }

    /** Of a state that is committed, or that a boosting which succeeds will commit. */
    private boolean isDone() {
        return training.isDone(plan.boosting().rounds(), plan.boosting().patience());
    }

    /** Of a state that is committed: whether it is done, or the study that this is a trial of ends it. */
    private boolean isOver() {
        boolean isStopped = training.round() > 0 && !host.goesOn(unreported());
        return isDone() || isStopped;
    }

    /** The rounds that this process has not reported; the last one at least, as another rank 0 may have died before it did. */
    private SortedMap<Integer, Map<String, Double>> unreported() {
        SortedMap<Integer, Map<String, Double>> metrics = new TreeMap<>();
        for (int round = Math.min(reported + 1, training.round()); round <= training.round(); round++) {
            metrics.put(round, metricsAfter(round));
        }
        reported = training.round();
        return metrics;
    }

    private void requireTracker(Collective collective) {
        try {
            CommunicatorArguments.of(collective.workerInfo(), plan.timeout());
        } catch (IllegalStateException e) {
            throw host.stop(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Takes over what all ranks have voted for. Rank 0 may be new and have nothing to give, if its predecessor died
     * before it gave it; all ranks see that.
     */
    private boolean commit(Collective collective, Vote vote, Optional<byte[]> boosted) {
        byte[] agreed = collective.broadcastBytes(boosted.orElse(new byte[0]), 0);
        if (!vote.isFor(agreed)) {
            return false;
        }
        training.restore(agreed);
        state.commit();
        failures.clear();
        host.progress(training.round(), plan.boosting().rounds());
        if (boosted.isPresent()) {
            plan.listener()
                    .committed(
                            training.round(),
                            plan.boosting().rounds(),
                            metricsAfter(training.round()),
                            collective.workerInfo());
        }
        return true;
    }

    private Map<String, Double> metricsAfter(int round) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        training.history().forEach((name, values) -> metrics.put(name, values[round - 1]));
        return metrics;
    }

    /** Forms no group if a rank is in another round than the others; the next vote shows that to all. */
    private void form(Collective collective, NativeGroup group) throws Exception {
        Readiness all;
        ShardKeeper.Place place;
        List<Rows> rows;
        try {
            place = shards.agree(collective, training);
            rows = load(place);
            all = Readiness.agree(collective, plan, rows);
        } catch (UnusableInputException e) {
            throw host.stop(String.valueOf(e.getMessage()));
        }
        if (!all.isOneRound() || all.round() != collective.round()) {
            return;
        }
        Host.Part forming = host.peerSection("xgboost-form", all.round());
        try {
            group.form(collective.workerInfo(), place.place(), training.model(), rows, all.columns());
        } catch (XGBoostError e) {
            group.leave();
            failures.add(all.round(), String.valueOf(e.getMessage()));
        } finally {
            forming.close();
        }
    }

    private List<Rows> load(ShardKeeper.Place place) throws Exception {
        Host.Part loading = host.section("xgboost-load");
        try {
            return shards.load(place);
        } finally {
            loading.close();
        }
    }

    /** Up to the next commit. Empty if there is no group, or it broke. */
    private Optional<byte[]> boost(NativeGroup group) {
        if (!group.isFormed()) {
            return Optional.empty();
        }
        try {
            for (int left = plan.boosting().untilCommit(training.round()); left > 0 && !isDone(); left--) {
                training.advance(boostOnce(group), group.runRound());
            }
            training.model(group.model());
            return Optional.of(training.save());
        } catch (XGBoostError e) {
            group.leave();
            failures.add(group.runRound(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Map<String, Double> boostOnce(NativeGroup group) throws XGBoostError {
        Host.Part boosting = host.peerSection("xgboost-boost", group.runRound());
        try {
            return group.boost(training.round());
        } finally {
            boosting.close();
        }
    }

    private String divergence(Collective collective, Optional<byte[]> boosted) {
        long[] identities = new long[collective.worldSize()];
        collective.allGather(new long[] {Vote.ballot(boosted, 0)[1]}, identities);
        StringBuilder text = new StringBuilder("the ranks have boosted different models:");
        for (int rank = 0; rank < identities.length; rank++) {
            text.append(rank == 0 ? " " : ", ").append("rank ").append(rank).append(": ");
            text.append(Long.toHexString(identities[rank]));
        }
        return text.append(" (expected: the same on all ranks)").toString();
    }

    private String failure(Collective collective) {
        byte[] all = new byte[Failures.BYTES * collective.worldSize()];
        collective.allGather(failures.message(), all);
        return Failures.describe(all);
    }
}
