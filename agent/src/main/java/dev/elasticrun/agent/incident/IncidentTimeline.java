/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rounds and incidents of a run as one node has them: a fold over the events of its agent and the rounds that it
 * receives. An incident begins with its first sign at the node, and is over when all workers of the node have resumed, or
 * when the next one begins; the start of the run is none. Metrics, page, console and the answers to commands are made of
 * what it returns. Pure: times are nanoseconds of the agent's monotonic clock and passed in. Owned by one thread.
 */
public final class IncidentTimeline {
    private final String nodeId;
    private final RoundSpans spans;
    private final Stall stall = new Stall();
    private final Doubt doubt = new Doubt();
    private final Set<Integer> resumed = new HashSet<>();
    // The newest round for which the node's workers received WORK; null before the first.
    private @Nullable Round working;

    // The newest round in which the node's workers wait, until they resume.
    private @Nullable Round suspended;

    private @Nullable Recovery recovery;
    private long incident;
    private long versionBefore;
    private long stepBefore;
    private long stepAfter;
    // The world size of the newest round in which all workers of the node resumed; 0 before the first.
    private int worldBefore;

    /**
     * @param millis from the agent's monotonic clock, nanoseconds, to milliseconds since 1970; for display
     */
    public IncidentTimeline(String nodeId, LongUnaryOperator millis) {
        this.nodeId = nodeId;
        this.spans = new RoundSpans(millis);
    }

    /**
     * A newer round, or the newest one with a change.
     *
     * @return what follows from it
     */
    public List<IncidentFact> see(Round round, long nanos) {
        List<IncidentFact> facts = new ArrayList<>();
        spans.see(round, nanos);
        if (working != null && round.number() > working.number()) {
            Recovery open = sign(nanos, false);
            open.reach(RecoveryPhase.DETECTED, nanos);
            if (!round.suspended()) {
                open.reach(RecoveryPhase.SEALED, nanos);
            }
        }
        if (round.suspended()) {
            suspended = round;
        }
        if (!round.suspended() && round.participant(nodeId).isEmpty()) {
            // No peer waits for the workers of a node without which a round continues.
            stall.forget();
        }
        if (incident > 0 && round.incident() > incident) {
            facts.add(new IncidentFact.Counted(IncidentCause.of(round.causes())));
            doubt.clear();
        }
        incident = Math.max(incident, round.incident());
        return facts;
    }

    /**
     * An event of this agent.
     *
     * @param newest round that the agent knew; null before the first
     * @return what follows from it
     */
    public List<IncidentFact> see(RunEvent event, @Nullable Round newest, long nanos) {
        List<IncidentFact> facts = new ArrayList<>();
        if (event instanceof RunEvent.WorkPublished && newest != null) {
            // Workers receive WORK before the agent itself has looked at the round.
            facts.addAll(see(newest, nanos));
            publish(newest, nanos, facts);
        } else if (event instanceof RunEvent.WorkerResumed worker) {
            resume(worker, nanos, facts);
        } else if (event instanceof RunEvent.WorkerProgressed worker) {
            progress(worker, facts);
        } else if (event instanceof RunEvent.IncidentPaused paused) {
            pause(paused, nanos);
        } else if (event instanceof RunEvent.WorkersStopping) {
            stop(nanos);
        } else if (event instanceof RunEvent.NodeRestored restored) {
            restore(restored, facts);
        } else if (event instanceof RunEvent.AgentEnded ended) {
            leave(ended, newest, nanos, facts);
        } else if (endsRound(event)) {
            end(event, newest, nanos, facts);
        }
        if (event instanceof RunEvent.OfProgress progress) {
            versionBefore = Math.max(versionBefore, progress.version());
            stepBefore = Math.max(stepBefore, progress.step());
        }
        return facts;
    }

    /**
     * Whether it is a sign of something that ends the round in which the node's workers work. After a return to work it
     * may still be reported what is over: that a peer was lost in an earlier round, or what this round has answered.
     */
    public boolean endsRound(RunEvent event) {
        long round = working == null ? 0 : working.number();
        if (event instanceof RunEvent.PeerLost lost) {
            return lost.lostRound() >= round && !lost.answered();
        } else if (event instanceof RunEvent.RoundDecided decided) {
            return decided.nextRound() > round;
        }
        return event instanceof RunEvent.OfFailure
                || event instanceof RunEvent.NodeProvedDead
                || event instanceof RunEvent.NodeFenced;
    }

    private void end(RunEvent event, @Nullable Round newest, long nanos, List<IncidentFact> facts) {
        if (event instanceof RunEvent.NodeFenced fenced) {
            doubt.begin(fenced.workingRound());
        }
        if (event instanceof RunEvent.OfFailure failure) {
            stop(nanos);
            facts.add(new IncidentFact.Failed(failure, working, incidentOf(newest)));
        }
        if (working != null) {
            Recovery open = sign(nanos, event instanceof RunEvent.NodeFenced);
            if (event instanceof RunEvent.OfFailure || event instanceof RunEvent.RoundDecided) {
                open.reach(RecoveryPhase.DETECTED, nanos);
            }
        }
    }

    // A failure while a round is sealed begins the next one.
    private static long incidentOf(@Nullable Round newest) {
        return newest == null ? 1 : newest.suspended() ? newest.incident() : newest.incident() + 1;
    }

    private void publish(Round round, long nanos, List<IncidentFact> facts) {
        Recovery open = recovery;
        Round before = working;
        if (open != null && before != null && open.hasReached(RecoveryPhase.PUBLISHED)) {
            // Workers that never report that they resumed, or an answer that was overtaken by the next one.
            facts.add(open.recovered(before));
            open = new Recovery(nanos, false);
            recovery = open;
        }
        if (open != null) {
            open.reach(RecoveryPhase.SEALED, nanos);
            open.reach(RecoveryPhase.PUBLISHED, nanos);
        }
        spans.publish(round, nanos);
        stall.work(round.number());
        working = round;
        resumed.clear();
        stepAfter = 0;
        if (worldBefore == 0) {
            facts.add(new IncidentFact.Begun(round));
        }
    }

    private void resume(RunEvent.WorkerResumed event, long nanos, List<IncidentFact> facts) {
        Round round = working;
        if (round == null || event.resumedRound() != round.number()) {
            return;
        }
        stall.resume(nanos);
        if (resumed.isEmpty() && doubt.isAbout(round.number())) {
            doubt.count().ifPresent(facts::add);
        }
        resumed.add(event.worker().slot());
        if (resumed.size() < round.participant(nodeId).map(Participant::size).orElse(0)) {
            return;
        }
        spans.resume(round.number(), nanos);
        Recovery open = recovery;
        if (open != null && open.hasReached(RecoveryPhase.PUBLISHED)) {
            open.reach(RecoveryPhase.RESUMED, nanos);
            facts.add(open.recovered(round));
            recovery = null;
        }
        stall.stoppedFor(nanos)
                .ifPresent(stopped -> facts.add(new IncidentFact.WorksAgain(
                        round,
                        suspended,
                        doubt.isAbout(round.number()),
                        stopped,
                        worldBefore,
                        versionBefore,
                        event.version(),
                        stepBefore,
                        stepAfter)));
        worldBefore = round.worldSize();
        versionBefore = 0;
        stepBefore = 0;
        suspended = null;
        doubt.clear();
    }

    private void progress(RunEvent.WorkerProgressed event, List<IncidentFact> facts) {
        if (event.step() > 0) {
            stepAfter = stepAfter == 0 ? event.step() : Math.min(stepAfter, event.step());
            facts.add(new IncidentFact.Progressed(event.step()));
        }
    }

    private void pause(RunEvent.IncidentPaused event, long nanos) {
        stop(nanos);
        stall.pause(nanos);
        doubt.pause(event.pausedRound());
        spans.pause(event.pausedRound(), nanos);
        if (working != null) {
            Recovery open = sign(nanos, false);
            open.reach(RecoveryPhase.DETECTED, nanos);
            open.reach(RecoveryPhase.PAUSED, nanos);
        }
    }

    private void restore(RunEvent.NodeRestored event, List<IncidentFact> facts) {
        if (recovery != null && recovery.isDoubt()) {
            recovery = null;
            spans.mend();
        }
        if (event.stalled()) {
            doubt.clear();
        } else if (!doubt.isPaused()) {
            doubt.count().ifPresent(facts::add);
            doubt.clear();
        }
    }

    private void leave(RunEvent.AgentEnded event, @Nullable Round newest, long nanos, List<IncidentFact> facts) {
        // Exit codes above are those of an agent that was asked to leave.
        boolean isError = event.exitCode() != 0 && event.exitCode() < IncidentText.SIGNAL_BASE;
        if (isError && working != null && recovery != null && !recovery.isDoubt()) {
            facts.add(recovery.unanswered(incidentOf(newest), nanos, event.reason()));
        }
    }

    private void stop(long nanos) {
        if (worldBefore > 0) {
            stall.stop(nanos);
        }
    }

    /** @param doubt whether only the lease is in doubt */
    private Recovery sign(long nanos, boolean doubt) {
        spans.interrupt(nanos);
        Recovery open = recovery == null ? new Recovery(nanos, doubt) : recovery;
        open.sign(doubt);
        recovery = open;
        return open;
    }

    /** The newest 64 rounds of which this agent knows, oldest first. */
    public List<RoundSpan> rounds() {
        return spans.all();
    }

    /** Whether the node's workers were paused, received WORK for this round, and have not gone on yet. */
    public boolean isStalledFor(long round) {
        return stall.isFor(round);
    }

    /** Nanoseconds from PAUSE to the last worker's first operation of this round; 0 = not paused, or not resumed yet. */
    public long stallNanos(long round) {
        return stall.nanos(round);
    }
}
