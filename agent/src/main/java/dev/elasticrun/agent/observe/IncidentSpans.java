/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.RecoveryPhase;
import dev.elasticrun.agent.telemetry.IncidentSpan;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes one span of what is concluded about an incident at this node. The span of one that workers went on from waits for
 * the first step after it, which shows how many were lost, if the program reports steps. Owned by the loop.
 */
final class IncidentSpans {
    private final LongFunction<Instant> clock;
    private final List<IncidentSpan.Failure> failures = new ArrayList<>();
    private String incarnation = "";
    private @Nullable Pending pending;

    private record Pending(
            IncidentFact.Recovered done, List<IncidentSpan.Failure> failures, IncidentFact.@Nullable WorksAgain again) {

        Pending with(IncidentFact.WorksAgain answer) {
            return new Pending(done, failures, answer);
        }
    }

    /** @param clock from the agent's monotonic clock, nanoseconds, to the wall clock */
    IncidentSpans(LongFunction<Instant> clock) {
        this.clock = clock;
    }

    void joined(String run) {
        incarnation = run;
    }

    /** Those that are complete after these facts, which follow from one event; often none. */
    List<IncidentSpan> of(List<IncidentFact> facts) {
        List<IncidentSpan> spans = new ArrayList<>();
        for (IncidentFact fact : facts) {
            if (fact instanceof IncidentFact.Failed failed) {
                spans.addAll(flush());
                failures.add(failure(failed.failure()));
            } else if (fact instanceof IncidentFact.Begun) {
                // What failed while the run started is no incident of it.
                failures.clear();
            } else if (fact instanceof IncidentFact.Recovered done) {
                spans.addAll(flush());
                pending = new Pending(done, List.copyOf(failures), null);
                failures.clear();
            } else if (fact instanceof IncidentFact.WorksAgain again && pending != null) {
                pending = pending.with(again);
            } else if (fact instanceof IncidentFact.Progressed progressed && pending != null) {
                IncidentFact.WorksAgain again = pending.again();
                pending = again == null ? pending : pending.with(again.progressed(progressed.step()));
                spans.addAll(flush());
            } else if (fact instanceof IncidentFact.Unanswered open) {
                spans.addAll(flush());
                spans.add(span(open));
                failures.clear();
            }
        }
        if (pending != null && !waitsForStep(pending.again())) {
            spans.addAll(flush());
        }
        return spans;
    }

    private static boolean waitsForStep(IncidentFact.@Nullable WorksAgain again) {
        return again != null && again.stepBefore() > 0 && again.stepAfter() == 0;
    }

    /** The one that waits, without steps. */
    List<IncidentSpan> flush() {
        Pending waiting = pending;
        pending = null;
        return waiting == null ? List.of() : List.of(span(waiting));
    }

    private IncidentSpan span(Pending over) {
        IncidentFact.Recovered done = over.done();
        List<IncidentSpan.Phase> phases = phases(done.nanos());
        return new IncidentSpan(
                incarnation,
                done.round().incident(),
                IncidentCause.of(done.round().causes()).label(),
                clock.apply(done.beganNanos()),
                phases.isEmpty() ? Duration.ZERO : phases.get(phases.size() - 1).reached(),
                phases,
                over.failures(),
                Optional.ofNullable(over.again()).map(IncidentSpans::answer),
                "");
    }

    private IncidentSpan span(IncidentFact.Unanswered open) {
        return new IncidentSpan(
                incarnation,
                open.incident(),
                (failures.isEmpty() ? IncidentCause.OTHER : IncidentCause.WORKER_FAILED).label(),
                clock.apply(open.beganNanos()),
                Duration.ofNanos(open.endNanos()),
                phases(open.nanos()),
                failures,
                Optional.empty(),
                open.reason());
    }

    private static List<IncidentSpan.Phase> phases(Map<RecoveryPhase, Long> nanos) {
        return nanos.entrySet().stream()
                .sorted(Map.Entry.<RecoveryPhase, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(phase -> new IncidentSpan.Phase(phase.getKey().label(), Duration.ofNanos(phase.getValue())))
                .toList();
    }

    private static IncidentSpan.Answer answer(IncidentFact.WorksAgain again) {
        return new IncidentSpan.Answer(
                again.round().number(),
                again.storeOnly(),
                Duration.ofNanos(again.stoppedNanos()),
                again.worldBefore(),
                again.round().worldSize(),
                again.version(),
                again.stepsLost());
    }

    private static IncidentSpan.Failure failure(RunEvent.OfFailure event) {
        if (event instanceof RunEvent.WorkerFailed failed) {
            return new IncidentSpan.Failure(
                    IncidentLines.who(failed),
                    failed.found().how().text(),
                    failed.found().message());
        }
        RunEvent.PauseExpired expired = (RunEvent.PauseExpired) event;
        return new IncidentSpan.Failure(
                IncidentLines.who(expired), FailureKind.NO_ANSWER.text(), IncidentLines.what(expired));
    }
}
