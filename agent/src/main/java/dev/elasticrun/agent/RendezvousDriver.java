/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.store.LeaseDoubt;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * From the rendezvous to the rules and to the edges of the agent, in order. What follows a registration waits until the
 * run's key is in place; what the node's place rests on, its lease and the store, does not. The simulator uses it as
 * production does, with other edges. Owned by the loop.
 */
final class RendezvousDriver implements Consumer<RendezvousEvent> {
    private final AgentMachine machine;
    private final LeaseDoubt leaseDoubt;
    private final BiConsumer<RunIdentity, Runnable> placeKey;
    private final List<Consumer<RendezvousEvent>> edges;
    private final Deque<RendezvousEvent> waiting = new ArrayDeque<>();
    private boolean isPlacing;
    private @Nullable Verdict verdict;

    /**
     * @param leaseDoubt whether other nodes can have continued while the lease was in doubt; where there are none, the
     *     rules do not receive that it is
     * @param placeKey derives from the run's key what workers and commands need, then runs its second argument in the
     *     loop; never runs it if the agent ends because that failed
     * @param edges act on events outside of the rules, one after another: before the rules, except on round events, for
     *     which workers wait
     */
    RendezvousDriver(
            AgentMachine machine,
            LeaseDoubt leaseDoubt,
            BiConsumer<RunIdentity, Runnable> placeKey,
            List<Consumer<RendezvousEvent>> edges) {
        this.machine = machine;
        this.leaseDoubt = leaseDoubt;
        this.placeKey = placeKey;
        this.edges = List.copyOf(edges);
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (isUrgent(event)) {
            deliver(event);
        } else if (isPlacing || !waiting.isEmpty()) {
            waiting.add(event);
        } else {
            handle(event);
        }
    }

    private static boolean isUrgent(RendezvousEvent event) {
        return event instanceof RendezvousEvent.LeaseDeadline
                || event instanceof RendezvousEvent.OfStore
                || event instanceof RendezvousEvent.Refused
                || event instanceof RendezvousEvent.EncryptionDiffers;
    }

    private void handle(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.Joined joined) {
            isPlacing = true;
            placeKey.accept(joined.identity(), () -> onKey(joined));
        } else {
            deliver(event);
        }
    }

    private void onKey(RendezvousEvent.Joined joined) {
        isPlacing = false;
        deliver(joined);
        while (!isPlacing && !waiting.isEmpty()) {
            handle(waiting.remove());
        }
    }

    private void deliver(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.RunEnded end) {
            verdict = end.verdict();
        }
        if (event instanceof RendezvousEvent.RoundChanged changed) {
            machine.apply(new AgentEvent.RoundPublished(changed.round()));
            act(event);
        } else {
            act(event);
            rule(event).ifPresent(machine::apply);
        }
    }

    private void act(RendezvousEvent event) {
        edges.forEach(edge -> edge.accept(event));
    }

    // The event for the rules; empty for events that only the edges handle.
    private Optional<AgentEvent> rule(RendezvousEvent event) {
        AgentEvent answered = null;
        if (event instanceof RendezvousEvent.Joined joined) {
            answered = new AgentEvent.Joined(joined.identity(), joined.createRevision());
        } else if (event instanceof RendezvousEvent.RunEnded end) {
            answered = new AgentEvent.VerdictReached(end.verdict());
        } else if (event instanceof RendezvousEvent.OfLease ofLease) {
            answered = ofLease(ofLease);
        } else if (event instanceof RendezvousEvent.MembershipLost) {
            answered = new AgentEvent.MembershipLost();
        } else if (event instanceof RendezvousEvent.Refused refused) {
            answered = new AgentEvent.Aborted(ExitCode.USAGE.code(), refused.reason());
        } else if (event instanceof RendezvousEvent.StoreUntrusted untrusted) {
            answered = new AgentEvent.Aborted(ExitCode.USAGE.code(), untrusted.reason());
        } else if (event instanceof RendezvousEvent.StoreLost lost) {
            answered = new AgentEvent.Aborted(ExitCode.STORE_LOST.code(), lost.reason());
        }
        return Optional.ofNullable(answered);
    }

    private @Nullable AgentEvent ofLease(RendezvousEvent.OfLease event) {
        if (leaseDoubt == LeaseDoubt.NO_OTHERS) {
            return null;
        } else if (event instanceof RendezvousEvent.Fenced) {
            return new AgentEvent.Fenced();
        } else if (event instanceof RendezvousEvent.Restored restored) {
            return new AgentEvent.Restored(restored.stalled() && leaseDoubt == LeaseDoubt.OTHERS_CONTINUE);
        }
        return null;
    }

    /** How the run ended; null while it continues. */
    @Nullable
    Verdict verdict() {
        return verdict;
    }
}
