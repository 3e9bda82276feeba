/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.past;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.http.CurvePicture;
import dev.elasticrun.agent.http.IncidentRows;
import dev.elasticrun.agent.http.RootText;
import dev.elasticrun.agent.http.RunPicture;
import dev.elasticrun.agent.incident.EventWindow;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run as it was at its last event, from the events of one incarnation of it in the order of their times. What no event
 * has is unknown: speed, memory, goodput. Pure; owned by one thread.
 */
public final class PastPicture implements Consumer<LoggedEvent> {
    private static final int MAX_INCIDENTS = 500;
    private static final int MAX_EVENTS = 60_000;

    private final PastRounds rounds = new PastRounds();
    private final PastWorkers workers = new PastWorkers();
    private final PastCurves curves = new PastCurves();
    private final EventWindow incidents = new EventWindow(MAX_INCIDENTS, MAX_EVENTS);
    private final Map<String, String> nodes = new TreeMap<>();
    private final Map<String, String> hosts = new HashMap<>();
    private RunEvent.@Nullable RunJoined terms;
    private RunEvent.@Nullable RunEnded end;
    private RunEvent.@Nullable AgentEnded agentEnd;
    private String coordinator = "";
    private int restarts;
    private Instant last = Instant.EPOCH;

    @Override
    public void accept(LoggedEvent logged) {
        rounds.see(logged);
        workers.see(logged);
        incidents.add(logged);
        nodes.putIfAbsent(logged.node(), "unknown");
        last = logged.time();
        RunEvent event = logged.event();
        if (event instanceof RunEvent.WorkerMetric metric) {
            curves.see(logged, metric, workers.rankOf(logged.node(), metric.worker()));
        } else if (event instanceof RunEvent.RunJoined joined) {
            terms = joined;
            hosts.put(logged.node(), joined.host());
            nodes.put(logged.node(), "unknown");
        } else if (event instanceof RunEvent.OfRound round) {
            coordinator = logged.node();
            restarts = round.budgetUsed();
        } else if (event instanceof RunEvent.NodeBackingOff backing) {
            restarts = backing.budgetUsed();
        } else if (event instanceof RunEvent.RestartsReturned returned) {
            restarts = returned.budgetUsed();
        } else if (event instanceof RunEvent.NodeProvedDead proof) {
            nodes.put(proof.dead(), "proved dead");
        } else if (event instanceof RunEvent.AgentEnded ended) {
            nodes.put(logged.node(), "ended");
            agentEnd = ended;
        } else if (event instanceof RunEvent.RunEnded ended) {
            end = ended;
        }
    }

    /** @param isLive whether an agent of the run is there */
    public RunPicture picture(String run, boolean isLive) {
        List<RoundSpan> spans = rounds.all();
        RoundSpan newest = spans.isEmpty() ? null : spans.get(spans.size() - 1);
        return new RunPicture(
                last.toEpochMilli(),
                glance(run, newest, isLive),
                nodeRows(newest),
                workers.rows(),
                spans,
                new RunPicture.Past(
                        IncidentRows.of(incidents.reports()),
                        incidents.knownSince().map(Instant::toEpochMilli).orElse(null)),
                List.of());
    }

    /** What events have of the time: world sizes, and what programs published. */
    public CurvePicture curves() {
        return curves.picture(last.toEpochMilli(), rounds.all());
    }

    private RunPicture.Glance glance(String run, @Nullable RoundSpan newest, boolean isLive) {
        RunEvent.Limits limits = terms == null ? new RunEvent.Limits(0, 0, 0, 0, 0) : terms.limits();
        RestartBudget budget = new RestartBudget(
                limits.maxRestarts(),
                Duration.ofMillis(limits.restartWindowMs()),
                Duration.ofMillis(limits.restartRefundMs()));
        return new RunPicture.Glance(
                new RunPicture.Names(
                        run,
                        "",
                        coordinator,
                        terms == null ? "" : terms.policy().policy()),
                isLive ? goesOn(newest) : ended(),
                new RunPicture.Size(
                        limits.minNodes(),
                        limits.maxNodes(),
                        newest == null ? 0 : newest.number(),
                        newest == null ? 0 : newest.worldSize(),
                        newest == null ? 0 : newest.members().size()),
                new RunPicture.Restarts(restarts, budget.max(), budget.within().strip(), null),
                workers.progress());
    }

    private static RunPicture.Condition goesOn(@Nullable RoundSpan newest) {
        String state = newest == null
                ? "starting"
                : newest.suspended() ? "waiting" : newest.times().broken() == null ? "working" : "recovering";
        return new RunPicture.Condition(
                state, "", "", "An agent of this run is on this host; this is what its files had when they were read.");
    }

    private RunPicture.Condition ended() {
        if (end == null) {
            String why = agentEnd == null ? "" : " The last agent that ended: " + agentEnd.reason() + ".";
            return new RunPicture.Condition(
                    "ending",
                    "left",
                    "",
                    "No agent of this run is on this host any more, and none whose events are here saw the end of the"
                            + " run." + why);
        }
        if (end.succeeded()) {
            return new RunPicture.Condition("ending", "succeeded", "", "The run has succeeded: " + end.reason() + ".");
        }
        if (end.causes().stream().anyMatch(Cause.StopCommanded.class::isInstance)) {
            return new RunPicture.Condition("ending", "stopped", "", "The run was " + end.reason() + ".");
        }
        return new RunPicture.Condition(
                "ending",
                "failed",
                end.root().map(RootText::of).orElse(""),
                "The run has failed: " + end.reason() + ".");
    }

    private List<RunPicture.NodeRow> nodeRows(@Nullable RoundSpan newest) {
        List<RunPicture.NodeRow> rows = new ArrayList<>();
        nodes.forEach((node, phase) -> rows.add(new RunPicture.NodeRow(
                node, hosts.getOrDefault(node, ""), phase, newest == null ? "" : ranks(newest, node), "", "")));
        return rows;
    }

    private static String ranks(RoundSpan round, String node) {
        return round.members().stream()
                .filter(member -> member.node().equals(node) && member.slots() > 0)
                .map(member -> member.slots() == 1
                        ? Integer.toString(member.firstRank())
                        : member.firstRank() + "-" + (member.firstRank() + member.slots() - 1))
                .findFirst()
                .orElse("");
    }
}
