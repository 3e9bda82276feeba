/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.AgentUse;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.NetFaults;
import dev.elasticrun.cli.chaos.fault.Weather;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a storm did to a run.
 *
 * @param notes what the reader has to know about the figures
 * @param violations bounds that were missed; empty = all is well
 */
public record ChaosReport(
        Setup setup,
        CalmPace calm,
        Progress progress,
        List<KindRow> kinds,
        KindRow all,
        Repeats repeats,
        Agents agents,
        Comparison comparison,
        List<Forecast> forecast,
        Timeline timeline,
        List<String> notes,
        List<String> violations) {

    /**
     * What was run.
     *
     * @param line of each agent, as given
     * @param calmTime without faults, of which the second half counts
     */
    public record Setup(
            String runId,
            String policy,
            int agents,
            int workersPerAgent,
            Weather weather,
            NetFaults net,
            Duration calmTime,
            List<String> line,
            Path directory) {
        public Setup {
            line = List.copyOf(line);
        }
    }

    /**
     * How far the run came in the storm.
     *
     * @param steps by the counter of the program, each counted once
     * @param goodput steps at the calm pace by wall time; negative = not known
     * @param lostSeconds by each fault; negative = not known
     */
    record Progress(double seconds, long steps, long rounds, double goodput, double lostSeconds) {}

    /**
     * Faults of one kind, or of all.
     *
     * @param kind as text
     * @param resumed until all workers of a later round worked
     * @param complete until that held for a world of the size before
     */
    record KindRow(
            String kind,
            int injected,
            int leftOut,
            Percentiles detected,
            Percentiles resumed,
            Percentiles complete,
            int withoutRank,
            int notReported,
            int open) {}

    /**
     * What agents took, the most of any agent at that moment.
     *
     * @param ended agents that ended by themselves before the storm did, without success
     */
    record Agents(AgentUse atStart, AgentUse atEnd, AgentUse most, List<RunRecord.AgentEnd> ended) {
        Agents {
            ended = List.copyOf(ended);
        }
    }

    /** Goodput of a larger run. */
    record Forecast(GoodputForecast.Case run, double goodput) {}

    /**
     * What the page draws; times are seconds from the start of the storm, before it negative.
     *
     * @param counted what the counter counts
     */
    record Timeline(String counted, List<Point> points, List<FaultMark> faults, List<RoundMark> rounds) {
        Timeline {
            points = List.copyOf(points);
            faults = List.copyOf(faults);
            rounds = List.copyOf(rounds);
        }
    }

    record Point(double seconds, int worldSize, long count) {}

    /** @param recovery from the fault until all workers worked, seconds; negative = not known */
    record FaultMark(Fault fault, double seconds, double recovery, String outcome) {}

    record RoundMark(double seconds, long number, int worldSize) {}

    public ChaosReport {
        kinds = List.copyOf(kinds);
        forecast = List.copyOf(forecast);
        notes = List.copyOf(notes);
        violations = List.copyOf(violations);
    }
}
