/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.ArrayList;
import java.util.List;

/**
 * How a run is spread over executors.
 *
 * <pre>{@code
 * ElasticSparkConfig config = ElasticSparkConfig.nodes(2, 4).withWorkersPerNode(2).withOptions("--hang-timeout", "30s");
 * }</pre>
 *
 * @param minNodes executors that are needed for the run to work
 * @param maxNodes executors that it uses at most, each with one agent
 * @param workersPerNode 0 = {@code spark.task.cpus}
 * @param options more flags, as the command takes them; of one given twice the last counts
 */
public record ElasticSparkConfig(int minNodes, int maxNodes, int workersPerNode, List<String> options) {
    public ElasticSparkConfig {
        options = List.copyOf(options);
    }

    /** From {@code min} to {@code max} executors, with as many workers each as a task has processors. */
    public static ElasticSparkConfig nodes(int min, int max) {
        return new ElasticSparkConfig(min, max, 0, List.of());
    }

    public ElasticSparkConfig withWorkersPerNode(int count) {
        return new ElasticSparkConfig(minNodes, maxNodes, count, options);
    }

    /** The policy that answers failures; {@code soft-elastic} without. */
    public ElasticSparkConfig withRestartPolicy(String name) {
        return withOptions("--restart-policy", name);
    }

    /** The store is an etcd; without, the driver serves one. */
    public ElasticSparkConfig withEtcd(String endpoints) {
        return withOptions("--rdzv-backend", "etcd", "--rdzv-endpoint", endpoints);
    }

    /** Adds flags and their values. */
    public ElasticSparkConfig withOptions(String... flags) {
        List<String> more = new ArrayList<>(options);
        more.addAll(List.of(flags));
        return new ElasticSparkConfig(minNodes, maxNodes, workersPerNode, more);
    }
}
