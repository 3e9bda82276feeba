/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

/** Where the rows of a part of the data come from. */
@FunctionalInterface
public interface RowSource {

    /**
     * The rows of one part, the same for every call with the same part. Called on the thread that trains, before the
     * workers form their group; what it throws ends this worker.
     *
     * @param shard 0-based
     * @param shards number of parts, from 1; together they are all rows
     */
    Rows load(int shard, int shards) throws Exception;
}
