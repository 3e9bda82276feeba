/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.cli.agents.AgentUse;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes the report of a storm from what was seen of the run, and from the events of its agents. Pure. */
public final class Measurement {
    private static final double NANOS = 1e9;
    private static final String ALL = "all";
    /** How old at most what agents report of their workers is while these work. */
    private static final double AGE_SECONDS = 1;

    private static final int MOST_POINTS = 2000;

    private final ChaosReport.Setup setup;
    private final RunRecord run;
    private final List<LoggedEvent> events;
    private final CalmPace calm;
    private final List<Recovery> recoveries;

    /**
     * @param events of all nodes, in any order
     * @param calm from a time without faults, in the order of their times
     */
    public Measurement(ChaosReport.Setup setup, RunRecord run, List<LoggedEvent> events, List<Sample> calm) {
        this(setup, run, events, CalmPace.of(calm, run));
    }

    Measurement(ChaosReport.Setup setup, RunRecord run, List<LoggedEvent> events, CalmPace calm) {
        this.setup = setup;
        this.run = run;
        this.events = events.stream()
                .sorted(Comparator.comparingLong(LoggedEvent::nanos))
                .toList();
        this.calm = calm;
        this.recoveries = new Recoveries(this.events).of(run.faults());
    }

    /** Whether a measurement needs events of this kind. */
    public static boolean needs(LoggedEvent event) {
        return event.event() instanceof RunEvent.OfProgress
                || event.event() instanceof RunEvent.WorkerProgressed
                || event.event() instanceof RunEvent.WorkerResumed
                || event.event() instanceof RunEvent.WorkerFailed
                || event.event() instanceof RunEvent.OfCauses
                || event.event() instanceof RunEvent.StateLost
                || event.event() instanceof RunEvent.RunEnded;
    }

    /**
     * @param notes what the reader has to know
     * @param minGoodput bound; 0 = none
     */
    public ChaosReport report(
            Comparison comparison, List<GoodputForecast.Case> cases, List<String> notes, double minGoodput) {
        ChaosReport.Progress progress = progress();
        List<ChaosReport.Forecast> forecast = progress.lostSeconds() < 0
                ? List.of()
                : cases.stream()
                        .map(wanted ->
                                new ChaosReport.Forecast(wanted, GoodputForecast.of(wanted, progress.lostSeconds())))
                        .toList();
        List<ChaosReport.KindRow> kinds = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            kinds.add(row(
                    kind.text(),
                    run.faults().stream().filter(fault -> fault.kind() == kind).toList()));
        }
        List<RunRecord.AgentEnd> ended =
                run.ends().stream().filter(end -> end.exitCode() != 0).toList();
        return new ChaosReport(
                setup,
                calm,
                progress,
                kinds,
                row(ALL, run.faults()),
                Repeats.of(inStorm(), calm.counter()),
                new ChaosReport.Agents(use(true), use(false), most(), ended),
                comparison,
                forecast,
                timeline(),
                notes,
                violations(progress, comparison, minGoodput));
    }

    private List<LoggedEvent> inStorm() {
        return events.stream()
                .filter(event -> event.nanos() <= run.times().endNanos())
                .toList();
    }

    private ChaosReport.Progress progress() {
        double seconds = (run.times().endNanos() - run.times().stormNanos()) / NANOS;
        long rounds = run.samples().stream()
                        .filter(sample -> sample.nanos() >= run.times().stormNanos())
                        .mapToLong(Sample::round)
                        .max()
                        .orElse(0)
                - run.samples().stream()
                        .filter(sample -> sample.nanos() <= run.times().stormNanos())
                        .mapToLong(Sample::round)
                        .max()
                        .orElse(0);
        if (calm.stepSeconds() <= 0) {
            return new ChaosReport.Progress(seconds, 0, Math.max(0, rounds), -1, -1);
        }
        // Until the storm the program made its steps at the calm pace.
        List<Sample> changes = calm.counter().changes(run.samples(0, run.times().endNanos()));
        if (changes.isEmpty()) {
            return new ChaosReport.Progress(seconds, 0, Math.max(0, rounds), -1, -1);
        }
        Sample first = lastUntil(changes, run.times().stormNanos());
        Sample last = lastUntil(changes, run.times().endNanos());
        double before = Math.max(0, run.times().stormNanos() - first.nanos()) / NANOS / calm.stepSeconds();
        // What was done since is not known yet, or it was nothing because the program stood still.
        double since = (run.times().endNanos() - last.nanos()) / NANOS;
        boolean standsStill = !run.succeeded() && since > AGE_SECONDS + calm.stepSeconds();
        double wall = seconds - (standsStill ? 0 : since);
        double steps = Math.max(0, calm.counter().of(last) - calm.counter().of(first) - before);
        double useful = steps * calm.stepSeconds();
        long faults = run.faults().stream().filter(Fault::isInjected).count();
        double lost = faults == 0 ? -1 : Math.max(0, wall - useful) / faults;
        return new ChaosReport.Progress(
                wall, Math.round(steps), Math.max(0, rounds), wall <= 0 ? -1 : useful / wall, lost);
    }

    // The first one if there is none until then.
    private static Sample lastUntil(List<Sample> changes, long nanos) {
        return changes.stream()
                .filter(sample -> sample.nanos() <= nanos)
                .reduce((first, last) -> last)
                .orElse(changes.get(0));
    }

    private ChaosReport.KindRow row(String kind, List<Fault> faults) {
        List<Recovery> ofKind = recoveries.stream()
                .filter(recovery -> faults.contains(recovery.fault()))
                .toList();
        return new ChaosReport.KindRow(
                kind,
                ofKind.size(),
                faults.size() - ofKind.size(),
                percentiles(ofKind, Recovery::detected),
                percentiles(ofKind, Recovery::resumed),
                percentiles(ofKind, Recovery::complete),
                count(ofKind, Recovery.Outcome.WITHOUT_RANK),
                count(ofKind, Recovery.Outcome.NOT_REPORTED),
                count(ofKind, Recovery.Outcome.OPEN));
    }

    private static Percentiles percentiles(List<Recovery> of, Function<Recovery, OptionalLong> time) {
        return Percentiles.ofNanos(of.stream()
                .map(time)
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .toList());
    }

    private static int count(List<Recovery> of, Recovery.Outcome outcome) {
        return (int)
                of.stream().filter(recovery -> recovery.outcome() == outcome).count();
    }

    private AgentUse use(boolean atStart) {
        long edge = atStart ? run.times().stormNanos() : run.times().endNanos();
        Comparator<AgentUse> distance = Comparator.comparingLong(use -> Math.abs(use.nanos() - edge));
        return run.uses().stream().min(distance).orElse(AgentUse.NOTHING);
    }

    private AgentUse most() {
        return run.uses().stream()
                .filter(use -> use.nanos() >= run.times().stormNanos())
                .reduce(AgentUse.NOTHING, AgentUse::max);
    }

    private ChaosReport.Timeline timeline() {
        List<Sample> drawn = run.samples(run.times().workNanos(), Long.MAX_VALUE);
        int step = drawn.size() / MOST_POINTS + 1;
        List<ChaosReport.Point> points = IntStream.range(0, drawn.size())
                .filter(at -> at % step == 0 || at == drawn.size() - 1)
                .mapToObj(drawn::get)
                .map(sample -> new ChaosReport.Point(
                        seconds(sample.nanos()),
                        sample.worldSize(),
                        calm.counter().of(sample)))
                .toList();
        Map<Fault, Recovery> byFault =
                recoveries.stream().collect(Collectors.toMap(Recovery::fault, Function.identity()));
        List<ChaosReport.FaultMark> faults = run.faults().stream()
                .map(fault -> mark(fault, byFault.get(fault)))
                .toList();
        Map<Long, ChaosReport.RoundMark> rounds = new TreeMap<>();
        for (LoggedEvent event : events) {
            if (event.event() instanceof RunEvent.WorkPublished published
                    && event.nanos() >= run.times().workNanos()
                    && event.nanos() <= run.times().endNanos()) {
                rounds.putIfAbsent(
                        event.round(),
                        new ChaosReport.RoundMark(seconds(event.nanos()), event.round(), published.worldSize()));
            }
        }
        return new ChaosReport.Timeline(calm.counter().text(), points, faults, List.copyOf(rounds.values()));
    }

    private ChaosReport.FaultMark mark(Fault fault, @Nullable Recovery recovery) {
        return recovery == null
                ? new ChaosReport.FaultMark(fault, seconds(fault.nanos()), -1, fault.leftOut())
                : new ChaosReport.FaultMark(
                        fault,
                        seconds(fault.nanos()),
                        recovery.resumed().isPresent() ? recovery.resumed().getAsLong() / NANOS : -1,
                        recovery.outcome().text());
    }

    private double seconds(long nanos) {
        return (nanos - run.times().stormNanos()) / NANOS;
    }

    private List<String> violations(ChaosReport.Progress progress, Comparison comparison, double minGoodput) {
        List<String> missed = new ArrayList<>();
        if (minGoodput > 0 && progress.goodput() < minGoodput) {
            missed.add("--min-goodput " + minGoodput + ": the goodput was "
                    + (progress.goodput() < 0 ? "not known" : ReportText.share(progress.goodput())));
        }
        if (comparison.compared() && !comparison.same()) {
            missed.add("--compare: the result " + comparison.text());
        }
        events.stream()
                .filter(event -> event.nanos() <= run.times().endNanos())
                .flatMap(event -> event.as(RunEvent.RunEnded.class).stream())
                .filter(end -> !end.succeeded())
                .findFirst()
                .ifPresent(end -> missed.add("the run failed, exit code " + end.exitCode() + ": " + end.reason()));
        boolean allEnded = !run.ends().isEmpty() && run.ends().size() >= setup.agents() && !run.succeeded();
        if (missed.isEmpty() && allEnded) {
            missed.add("the run ended: agents ended by themselves, with "
                    + run.ends().stream()
                            .map(end -> Integer.toString(end.exitCode()))
                            .distinct()
                            .collect(Collectors.joining(", ")));
        }
        return missed;
    }
}
