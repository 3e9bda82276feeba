/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticShards;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * k-means over rows that stay where they are: workers agree who has which shard, and a step is one all-reduce and one
 * commit. Sums are made in the order of shards, so a run in which all who died were replaced ends with the same bits as one
 * in which nobody did.
 */
final class KMeans {
    private final KMeansOptions options;
    private final KMeansState found = new KMeansState();
    private final ElasticState state = ElasticState.of(found);
    private int held = ElasticShards.NONE;
    private LabelledRows shard = new RowBuilder().build();

    private KMeans(KMeansOptions options) {
        this.options = options;
    }

    static void run(KMeansOptions options) throws Exception {
        Main.requireAgent();
        KMeans program = new KMeans(options);
        ElasticLoop.run(program.state, program::work);
    }

    private void work(Collective collective) throws IOException {
        @Nullable ShardedRows rows = null;
        while (!found.isDone()) {
            // In every step: a worker that takes another's place begins here, and is given the shard of that one.
            int shards = found.iterations() > 0 ? found.shards() : shards(collective);
            ElasticShards plan = ElasticShards.agree(collective, shards, held);
            if (rows == null) {
                hold(plan);
                rows = found.iterations() > 0 ? scaled(plan) : begin(collective, plan);
            }
            double[] sums = Centroids.sums(
                    rows,
                    found.centroids(),
                    (slots, prepare) -> collective.allReduce(slots, 0, slots.length, ReduceOp.SUM, prepare));
            found.advance(sums, options.maxIterations());
            state.commit();
            report(collective, plan);
            if (!isHurried() && !found.isDone()) {
                StepTime.pass(options.stepTime(), collective.round());
            }
        }
        if (collective.rank() == 0) {
            print();
        }
    }

    /** As many as workers were there first, unless an option sets it; who comes later receives it. */
    private int shards(Collective collective) {
        int[] shards = {options.shards()};
        collective.bootstrapAllReduce(
                "shards",
                BootstrapScope.JOB,
                shards,
                ReduceOp.MAX,
                () -> shards[0] = options.shards() > 0 ? options.shards() : collective.worldSize());
        return shards[0];
    }

    private void hold(ElasticShards plan) {
        if (plan.mine() != held) {
            held = plan.mine();
            shard = held == ElasticShards.NONE
                    ? new RowBuilder().build()
                    : options.rows().training(new Shard(held, plan.count()));
        }
    }

    /** The width of the data, the scale of its columns and the first centroids: computed once in the run. */
    private ShardedRows begin(Collective collective, ElasticShards plan) {
        int[] columns = {0};
        collective.bootstrapAllReduce(
                "columns", BootstrapScope.JOB, columns, ReduceOp.MAX, () -> columns[0] = shard.columns());
        if (columns[0] == 0) {
            throw new DataFileException(
                    "data file " + options.rows().file() + ": expected values in its rows, found none");
        }
        ShardedRows rows = unscaled(plan, columns[0]);
        ColumnScale.Once once = (name, slots, prepare) ->
                collective.bootstrapAllReduce(name, BootstrapScope.JOB, slots, ReduceOp.SUM, prepare);
        ColumnScale scale = ColumnScale.of(rows, columns[0], once);
        rows.replaceAll(scale::apply);
        double[][] first = new Seeding(rows, columns[0], once).draw(options.clusters(), options.seed());
        found.begin(plan.count(), scale, first);
        return rows;
    }

    private ShardedRows scaled(ElasticShards plan) {
        ShardedRows rows = unscaled(plan, found.scale().means().length);
        rows.replaceAll(found.scale()::apply);
        return rows;
    }

    private ShardedRows unscaled(ElasticShards plan, int columns) {
        ShardedRows rows = new ShardedRows(plan.count());
        if (held != ElasticShards.NONE) {
            rows.put(held, shard, columns);
        }
        return rows;
    }

    private boolean isHurried() {
        @Nullable Path hurry = options.hurry();
        return hurry != null && Files.exists(hurry);
    }

    private void report(Collective collective, ElasticShards plan) {
        ElasticRuntime.progress(found.iterations(), options.maxIterations());
        if (collective.rank() == 0) {
            System.out.println(String.format(
                    Locale.ROOT,
                    "iteration %d inertia %.6f rows %d world %d round %d%s",
                    found.iterations(),
                    found.inertia(),
                    found.rows(),
                    collective.worldSize(),
                    collective.round(),
                    plan.missing().isEmpty() ? "" : " without shards " + plan.missing()));
        }
    }

    private void print() throws IOException {
        System.out.println(String.format(
                "inertia %s; iterations %d; rows %d in clusters of %s",
                found.inertia(), found.iterations(), found.rows(), Arrays.toString(found.sizes())));
        @Nullable Path output = options.output();
        if (output != null) {
            List<String> lines = Arrays.stream(found.centroids())
                    .map(centroid -> DoubleStream.of(found.scale().undo(centroid))
                            .mapToObj(Double::toString)
                            .collect(Collectors.joining(",")))
                    .toList();
            Files.write(output, lines);
        }
    }
}
