/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.LoggedEvent;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One kill seen by the survivors: milliseconds from the kill until each phase was over. NaN where a log does not have it.
 *
 * @param detected the first agent knew
 * @param sealed the new round was agreed
 * @param published the last survivor was work published
 * @param acknowledged the last survivor had left the old round
 * @param resumed the last survivor had completed its first operation in the new round
 */
record Recovery(double detected, double sealed, double published, double acknowledged, double resumed) {

    /**
     * Reads one recovery out of the logs. Call it when all survivors have resumed.
     *
     * @param killed {@link System#nanoTime()} just before the kill
     * @param round the round before it
     */
    static Recovery of(long killed, long round, AgentLog survivor, Collection<AgentLog> all) {
        List<AgentLog.Slot> survivors = survivor.resumedAfter(round);
        long next =
                survivors.stream().mapToLong(AgentLog.Slot::resumedRound).min().orElse(0);
        return new Recovery(
                since(
                        killed,
                        LongStream.concat(all(all, killed, "worker.failed"), all(all, killed, "round.decided"))
                                .min()),
                since(killed, all(all, killed, "round.sealed").min()),
                since(
                        killed,
                        survivor.after(killed, "work.published").stream()
                                .filter(event -> event.round() == next)
                                .mapToLong(LoggedEvent::nanos)
                                .max()),
                // One from each survivor; later ones belong to the failed node's return.
                since(
                        killed,
                        survivor.after(killed, "pause.acknowledged").stream()
                                .mapToLong(LoggedEvent::nanos)
                                .limit(survivors.size())
                                .max()),
                since(
                        killed,
                        survivors.stream()
                                .mapToLong(AgentLog.Slot::resumedNanos)
                                .max()));
    }

    static String table(String title, List<Recovery> all) {
        int times = all.size();
        return String.join(
                "\n",
                "",
                "### " + title + ", " + times + " times",
                "",
                "| ms from the kill until | median | p90 | p99 | worst |",
                "|---|---|---|---|---|",
                column(all.stream().map(Recovery::detected)).row("detected", times),
                column(all.stream().map(Recovery::sealed)).row("round sealed", times),
                column(all.stream().map(Recovery::published)).row("WORK published to the last survivor", times),
                column(all.stream().map(Recovery::acknowledged)).row("last survivor out of the old round", times),
                column(all.stream().map(Recovery::resumed)).row("**last survivor's first all-reduce**", times),
                "");
    }

    static double since(long start, OptionalLong end) {
        return end.isPresent() ? (end.getAsLong() - start) / 1e6 : Double.NaN;
    }

    static Distribution column(Stream<Double> millis) {
        return Distribution.of(millis.mapToDouble(Double::doubleValue).toArray());
    }

    private static LongStream all(Collection<AgentLog> logs, long after, String kind) {
        return logs.stream().flatMap(log -> log.after(after, kind).stream()).mapToLong(LoggedEvent::nanos);
    }
}
