/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Plan;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a coordinator reports of its decisions, each of them once: events, and lines of the log. Owned by the loop. */
final class CoordinationReports {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinationReports.class);

    private final Consumer<? super RendezvousEvent.OfCoordination> events;
    private final RunSpec spec;
    private final WaitingNews waiting = new WaitingNews();
    private List<KeptOut> keptOut = List.of();
    private @Nullable Round decided;

    CoordinationReports(Consumer<? super RendezvousEvent.OfCoordination> events, RunSpec spec) {
        this.events = events;
        this.spec = spec;
    }

    /** @param dials null = newcomers are not dialled */
    void planned(Plan plan, @Nullable NewcomerDials dials, List<KeptOut> held, long nowNanos) {
        String complaint = dials == null ? "" : dials.complaint();
        boolean dialling = dials != null && dials.pending();
        boolean isForNodes = plan.decision() instanceof Decision.Wait
                && plan.gathering().kind().isForNodes();
        boolean notice = !complaint.isEmpty() || isForNodes;
        waiting.of(plan, complaint, dialling, nowNanos)
                .map(reason -> new RendezvousEvent.Waiting(reason, notice))
                .ifPresent(events);
        if (!held.equals(keptOut)) {
            keptOut = held;
            events.accept(new RendezvousEvent.NodesKeptOut(held));
        }
    }

    /** About to be written, perhaps not for the first time. */
    void decided(Round next, @Nullable Round before) {
        if (!isDecided(next) && !next.amends(before)) {
            decided = next;
            events.accept(new RendezvousEvent.RoundDecided(next));
        }
    }

    /** Whether it was reported before; meanwhile restarts have grown older. */
    private boolean isDecided(Round next) {
        Round reported = decided;
        return reported != null && next.withUsed(reported.used()).equals(reported);
    }

    void written(Round next, @Nullable Round before) {
        if (!next.amends(before)) {
            LOG.debug(
                    "round={} {} world={} size={} reason=\"{}\"",
                    next.number(),
                    next.suspended() ? "SUSPENDED" : "SEALED",
                    next.world(),
                    next.worldSize(),
                    next.cause());
            events.accept(new RendezvousEvent.RoundPublished(next));
        }
        int returned =
                next.used().returned() - (before == null ? 0 : before.used().returned());
        if (returned > 0) {
            events.accept(new RendezvousEvent.RestartsReturned(
                    returned, next, spec.terms().restarts()));
        }
    }

    void settled(CommandResult result) {
        LOG.info(
                "command={} {} {}: {}",
                result.command().number(),
                result.command().text(),
                result.accepted() ? "ACCEPTED" : "REFUSED",
                result.answer());
        events.accept(new RendezvousEvent.CommandSettled(result));
    }
}
