/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.samples.testing.NodeLogs;
import java.util.regex.Pattern;

/** What workers of the estimator printed so far. */
final class BoostLogs {
    /** Of a commit, by rank 0. */
    private static final Pattern COMMIT = Pattern.compile("(?m)^step ([0-9]+)/");

    private static final Pattern READ = Pattern.compile("(?m)^read shard .*: ([0-9]+) rows");

    private BoostLogs() {}

    /** Boosting rounds that are committed. */
    static long committed(NodeLogs logs) {
        return logs.workerOutputs().stream()
                .flatMap(output -> COMMIT.matcher(output).results())
                .mapToLong(commit -> Long.parseLong(commit.group(1)))
                .max()
                .orElse(0);
    }

    /** Rows that workers read, of all shards. */
    static long rowsRead(NodeLogs logs) {
        return logs.workerOutputs().stream()
                .flatMap(output -> READ.matcher(output).results())
                .mapToLong(read -> Long.parseLong(read.group(1)))
                .sum();
    }
}
