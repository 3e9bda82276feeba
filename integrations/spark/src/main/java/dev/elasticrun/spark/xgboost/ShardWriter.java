/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.floor;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.when;

import dev.elasticrun.spark.ElasticSparkException;
import dev.elasticrun.spark.worker.ShardTraining;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;

/**
 * Writes rows once, as Parquet files, a partition for each worker. Rows are dealt out evenly; rows of a group stay
 * together. What makes rows unusable is looked for on the way.
 *
 * @param features where they are
 * @param width number of features
 * @param label name of a column
 * @param weight name of a column; empty = none
 * @param margin name of a column; empty = none
 * @param group name of a column; empty = none
 * @param shards number of partitions
 */
record ShardWriter(
        FeatureColumns features, int width, String label, String weight, String margin, String group, int shards) {
    /**
     * Writes them.
     *
     * @param name of a directory that does not exist, in that one
     * @return what they are, to be checked
     * @throws ElasticSparkException when what executors wrote is not there for the driver
     */
    WrittenRows write(Dataset<?> rows, DataDirectory directory, String name) throws InterruptedException {
        Observation seen = new Observation();
        List<Column> columns = new ArrayList<>();
        columns.add(col(label).cast("float").as(ShardTraining.LABEL));
        columns.add(features.array().as(ShardTraining.FEATURES));
        if (!weight.isEmpty()) {
            columns.add(col(weight).cast("float").as(ShardTraining.WEIGHT));
        }
        if (!margin.isEmpty()) {
            columns.add(col(margin).cast("float").as(ShardTraining.MARGIN));
        }
        if (!group.isEmpty()) {
            columns.add(col(group).cast("long").as(ShardTraining.GROUP));
        }
        Dataset<Row> selected = observed(rows.select(columns.toArray(Column[]::new)), seen);
        Dataset<Row> dealt = group.isEmpty()
                ? selected.repartition(shards)
                : selected.repartition(shards, col(ShardTraining.GROUP)).sortWithinPartitions(col(ShardTraining.GROUP));
        dealt.write().parquet(directory.child(name));
        directory.requireFiles(name);
        // Spark leaves out of a plan what has no rows, and then there would be no figures ever.
        boolean isEmpty =
                rows.sparkSession().read().parquet(directory.child(name)).isEmpty();
        return isEmpty ? WrittenRows.NONE : WrittenRows.of(seen.getAsJava());
    }

    private Dataset<Row> observed(Dataset<Row> rows, Observation seen) {
        List<Column> figures = new ArrayList<>(List.of(
                min(col(ShardTraining.LABEL)).as(WrittenRows.LEAST),
                max(col(ShardTraining.LABEL)).as(WrittenRows.GREATEST),
                number(isMissing(ShardTraining.LABEL)).as(WrittenRows.NO_LABEL),
                number(not(col(ShardTraining.LABEL).equalTo(floor(col(ShardTraining.LABEL)))))
                        .as(WrittenRows.FRACTIONS),
                number(col(ShardTraining.FEATURES)
                                .isNull()
                                .or(not(size(col(ShardTraining.FEATURES)).equalTo(width))))
                        .as(WrittenRows.NO_FEATURES)));
        Column noWeight = not(col(ShardTraining.WEIGHT).geq(0))
                .or(col(ShardTraining.WEIGHT).isNull());
        figures.add(number(weight, noWeight).as(WrittenRows.NO_WEIGHT));
        figures.add(number(margin, isMissing(ShardTraining.MARGIN)).as(WrittenRows.NO_MARGIN));
        figures.add(number(group, col(ShardTraining.GROUP).isNull()).as(WrittenRows.NO_GROUP));
        return rows.observe(seen, count(lit(1)).as(WrittenRows.COUNT), figures.toArray(Column[]::new));
    }

    /** @param name of the column of the rows; empty = there is none, so that nothing is wrong with it */
    private static Column number(String name, Column condition) {
        return name.isEmpty() ? lit(0L) : number(condition);
    }

    private static Column isMissing(String column) {
        return col(column).isNull().or(col(column).isNaN());
    }

    private static Column number(Column condition) {
        return count(when(condition, lit(1)));
    }
}
