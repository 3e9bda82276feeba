/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticShards;
import java.util.ArrayList;
import java.util.List;

/** The rows that this worker has, kept from round to round. */
final class ShardKeeper {
    private final TrainingPlan plan;
    private int shard = ElasticShards.NONE;
    private int shards;
    private List<Rows> rows = List.of();

    /**
     * What this worker trains on, and where it stands among the workers by it.
     *
     * @param shard {@link ElasticShards#NONE}: no part is left for it
     * @param shards number of parts
     * @param place 0-based among all workers, in the order of their parts: sums over ranks have the same order, and so
     *     the same last digits, whichever worker has which part
     */
    record Place(int shard, int shards, int place) {}

    ShardKeeper(TrainingPlan plan) {
        this.plan = plan;
    }

    /** Loads the part that this worker is most likely to get, before any rank waits for it. */
    void preload() throws Exception {
        if (plan.data().preload() >= 0 && plan.data().preload() < plan.data().shards()) {
            load(new Place(plan.data().preload(), plan.data().shards(), 0));
        }
    }

    /** Agrees on which worker has which part; all ranks at the same place. */
    Place agree(Collective collective, TrainingState training) {
        if (plan.data().shards() == TrainingPlan.BY_RANK) {
            return new Place(collective.rank(), collective.worldSize(), collective.rank());
        }
        if (training.shards() == 0) {
            training.shards(
                    plan.data().shards() == TrainingPlan.BY_FIRST_ROUND
                            ? collective.worldSize()
                            : plan.data().shards());
        }
        int count = training.shards();
        ElasticShards agreed = ElasticShards.agree(collective, count, shards == count ? shard : ElasticShards.NONE);
        return new Place(agreed.mine(), count, agreed.position());
    }

    /** Rows of all data sets of that place; loaded unless they are held already. */
    List<Rows> load(Place wanted) throws Exception {
        if (wanted.shard() == shard && wanted.shards() == shards && !rows.isEmpty()) {
            return rows;
        }
        rows = List.of();
        List<Rows> loaded = new ArrayList<>();
        for (RowSource source : plan.data().sources()) {
            loaded.add(
                    wanted.shard() == ElasticShards.NONE ? Rows.none() : source.load(wanted.shard(), wanted.shards()));
        }
        rows = List.copyOf(loaded);
        shard = wanted.shard();
        shards = wanted.shards();
        return rows;
    }
}
