/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.logs.EventLog;
import dev.elasticrun.agent.telemetry.IncidentSpan;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes {@code events.jsonl} with the round and incident of each event, incident lines to the console, and spans of incidents. */
public final class AgentJournal {
    private static final Logger LOG = LoggerFactory.getLogger(AgentJournal.class);

    // A program that reports its steps more rarely has a line without them.
    private static final Duration FIRST_STEP = Duration.ofSeconds(3);

    private final EventLog events;
    private final IncidentLines lines;
    private final RunObserver observer;
    private final EventLoop loop;
    private final IncidentSpans spans;
    private final Consumer<IncidentSpan> sent;

    /** @param sent receives each incident when it is over; must not block */
    public AgentJournal(
            EventLog events, IncidentLines lines, RunObserver observer, EventLoop loop, Consumer<IncidentSpan> sent) {
        this.events = events;
        this.lines = lines;
        this.observer = observer;
        this.loop = loop;
        this.spans = new IncidentSpans(observer::instant);
        this.sent = sent;
    }

    public void joined(String incarnation) {
        events.joined(incarnation);
        spans.joined(incarnation);
    }

    /** @param round the newest round that the agent knows; null before the first */
    public void record(RunEvent event, @Nullable Round round) {
        events.append(event, round == null ? 0 : round.number(), round == null ? 0 : round.incident());
        List<IncidentFact> facts = observer.onEvent(event, round);
        facts.forEach(fact -> lines.of(fact).forEach(AgentJournal::show));
        spans.of(facts).forEach(sent);
        if (event instanceof RunEvent.RunEnded || event instanceof RunEvent.AgentEnded) {
            flush();
        } else if (event instanceof RunEvent.WorkerResumed) {
            lines.pending()
                    .ifPresent(waiting -> loop.schedule(
                            FIRST_STEP,
                            () -> lines.pending().filter(waiting::equals).ifPresent(due -> flush())));
        }
    }

    private void flush() {
        lines.flush().forEach(AgentJournal::show);
        spans.flush().forEach(sent);
    }

    private static void show(IncidentLines.Line line) {
        if (line.isWarning()) {
            LOG.warn("{}", line.text());
        } else {
            LOG.info("{}", line.text());
        }
    }

    public long dropped() {
        return events.dropped();
    }

    /** @param incident that the decision answers */
    public void record(PlannerCall call, long incident) {
        events.append(call, incident);
    }

    public void decided(Round decided) {
        record(
                new RunEvent.RoundDecided(decided.cause(), decided.causes(), decided.number(), decided.suspended()),
                decided);
    }

    public void published(Round round) {
        List<String> nodes =
                round.participants().stream().map(Participant::nodeId).toList();
        record(
                round.suspended()
                        ? new RunEvent.RoundSuspended(
                                round.cause(), round.causes(), round.worldSize(), nodes, round.budgetUsed())
                        : new RunEvent.RoundSealed(
                                round.cause(), round.causes(), round.worldSize(), nodes, round.budgetUsed()),
                round);
    }

    public void close() {
        events.close();
    }
}
