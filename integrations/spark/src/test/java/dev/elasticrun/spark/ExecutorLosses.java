/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.NodeLogs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends executors of a run that works in all of them, and checks that it costs the others nothing.
 *
 * @param executors number of the run's nodes
 * @param state describes what there is when the others were not left alone
 */
record ExecutorLosses(int executors, Supplier<String> state) {
    /** The workers of all other executors go on in their processes, without those of the lost one and then with new ones. */
    void loseOne(NodeLogs logs, Consumer<ProcessHandle> end) {
        long round = loseOneForGood(logs, end);
        Map<String, List<Long>> without = logs.workers();
        logs.awaitTogether(round, executors);
        assertThat(logs.workers()).as(state).containsAllEntriesOf(without);
    }

    /** @return the round in which the others have gone on */
    long loseOneForGood(NodeLogs logs, Consumer<ProcessHandle> end) {
        long whole = logs.awaitTogether(0, executors);
        Map<String, List<Long>> all = logs.workers();
        Map.Entry<String, List<Long>> victim = all.entrySet().iterator().next();

        end.accept(SparkCluster.executorOf(victim.getValue().get(0)));

        long round = logs.awaitTogether(whole, executors - 1);
        Map<String, List<Long>> without = logs.workers();
        assertThat(all).as(state).containsAllEntriesOf(without);
        assertThat(without).as(state).doesNotContainKey(victim.getKey());
        return round;
    }

    /** Kills one after the other, each when the run has all of its nodes: all other workers keep their processes. */
    void loseInTurn(NodeLogs logs, int count) {
        long round = logs.awaitTogether(0, executors);
        for (int loss = 0; loss < count; loss++) {
            Map<String, List<Long>> whole = logs.workers();
            Map.Entry<String, List<Long>> victim = whole.entrySet().iterator().next();
            SparkCluster.executorOf(victim.getValue().get(0)).destroyForcibly();
            round = logs.awaitTogether(round, executors);
            Map<String, List<Long>> others = new TreeMap<>(whole);
            others.remove(victim.getKey());
            assertThat(logs.workers()).as(state).containsAllEntriesOf(others).hasSize(executors);
        }
    }
}
