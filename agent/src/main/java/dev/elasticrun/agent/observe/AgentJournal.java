/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.logs.EventLog;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes {@code events.jsonl} with the round and incident of each event, and incident lines to the console. */
public final class AgentJournal {
    private static final Logger LOG = LoggerFactory.getLogger(AgentJournal.class);

    // A program that reports its steps more rarely has a line without them.
    private static final Duration FIRST_STEP = Duration.ofSeconds(3);

    private final EventLog events;
    private final IncidentLines lines;
    private final RunObserver observer;
    private final EventLoop loop;

    public AgentJournal(EventLog events, IncidentLines lines, RunObserver observer, EventLoop loop) {
        this.events = events;
        this.lines = lines;
        this.observer = observer;
        this.loop = loop;
    }

    public void joined(String incarnation) {
        events.joined(incarnation);
    }

    /** @param round the newest round that the agent knows; null before the first */
    public void record(RunEvent event, @Nullable Round round) {
        events.append(event, round == null ? 0 : round.number(), round == null ? 0 : round.incident());
        observer.onEvent(event, round).forEach(fact -> lines.of(fact).forEach(AgentJournal::show));
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
