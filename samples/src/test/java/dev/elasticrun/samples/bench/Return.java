/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.LoggedEvent;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The failed node's way back, in milliseconds. NaN where a log does not have it.
 *
 * @param ready from its start until its last worker had loaded its data
 * @param joined from then until all workers had completed their first operation in one round
 * @param paused how long the survivors stood still for it
 */
record Return(double ready, double joined, double paused) {

    /**
     * Reads one return out of the logs. Call it when all workers are in one round again.
     *
     * @param started when the node was on its way: the kill of its worker, or the start of its new agent
     * @param recovered when the survivors had resumed without it
     */
    static Return of(long started, long recovered, AgentLog survivor, AgentLog returned) {
        long ready = returned.running().stream()
                .mapToLong(AgentLog.Slot::readyNanos)
                .max()
                .orElse(0);
        LongStream everybody = Stream.of(survivor, returned)
                .flatMap(log -> log.running().stream())
                .mapToLong(AgentLog.Slot::resumedNanos);
        long resumed = survivor.running().stream()
                .mapToLong(AgentLog.Slot::resumedNanos)
                .max()
                .orElse(0);
        double paused = survivor.after(recovered, "incident.paused").stream()
                .mapToLong(LoggedEvent::nanos)
                .mapToDouble(nanos -> (resumed - nanos) / 1e6)
                .max()
                .orElse(Double.NaN);
        return new Return(
                ready == 0 ? Double.NaN : (ready - started) / 1e6,
                ready == 0 ? Double.NaN : Recovery.since(ready, everybody.max()),
                paused);
    }

    static String table(String title, String start, List<Return> all) {
        int times = all.size();
        return String.join(
                "\n",
                "",
                "### " + title + ", " + times + " times",
                "",
                "| ms | median | p90 | p99 | worst |",
                "|---|---|---|---|---|",
                Recovery.column(all.stream().map(Return::ready))
                        .row("from " + start + " until its workers are ready", times),
                Recovery.column(all.stream().map(Return::joined))
                        .row("from then until all workers' first all-reduce", times),
                Recovery.column(all.stream().map(Return::paused)).row("**pause of the survivors for it**", times),
                "");
    }
}
