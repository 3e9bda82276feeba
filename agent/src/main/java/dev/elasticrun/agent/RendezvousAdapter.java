/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.CommandResult;
import dev.elasticrun.rendezvous.KeptOut;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RendezvousListener;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Between the rendezvous and the rules: what rendezvous tells becomes an event, and the state that follows becomes the
 * node's record. The simulator uses it as production does, with other edges. Owned by the loop.
 */
final class RendezvousAdapter implements RendezvousListener {
    private final AgentMachine machine;
    private final AgentSettings settings;
    private final Edges edges;
    private final RendezvousCalls calls = new RendezvousCalls();
    private @Nullable Rendezvous rendezvous;
    private @Nullable NodeRecord published;
    private @Nullable Verdict verdict;

    /** What is to be done outside of the rules; called in the loop. */
    interface Edges {
        /**
         * Makes what must be there before the node acts on anything that it hears of its run.
         *
         * @param made to be run in the loop when it is there; not at all if the agent ends for want of it
         */
        default void prepare(RunIdentity identity, Runnable made) {
            made.run();
        }

        /** @param first whether it is for the first time, and not again after the lease was lost */
        void onJoined(RunIdentity identity, boolean first);

        void onLeaseDeadline(long deadlineNanos);

        /** A newer round; called when the rules have dealt with it. */
        default void onRound(Round round) {}

        /** The coordinator may be told sooner than by the store. */
        default void onRecordChanged(byte[] record) {}

        void onCoordinator(NodeRecord coordinator);

        void onElected();

        void onWaiting(String reason);

        default void onKeptOut(List<KeptOut> nodes) {}

        void onDecided(Round decided);

        void onPublished(Round published);

        /** Whether the store lives and stops with this agent: then nobody can have gone on while the agent stood still. */
        default boolean servesStore() {
            return false;
        }

        /** As {@link RendezvousListener#onOtherEncryption}. */
        default boolean onOtherEncryption(String tls) {
            return false;
        }

        /** The run has ended; called before the rules deal with it. */
        default void onVerdict(Verdict reached) {}

        /** This agent coordinates, and consumed a command. */
        default void onSettled(CommandResult command) {}

        default void onStoreTrouble(String trouble) {}

        default void onStoreWell(String trouble) {}
    }

    RendezvousAdapter(AgentMachine machine, AgentSettings settings, Edges edges) {
        this.machine = machine;
        this.settings = settings;
        this.edges = edges;
    }

    /**
     * Begins to join the run, unless the agent is on its way out already.
     *
     * @param record what the rendezvous was made with
     */
    void join(Rendezvous made, NodeRecord record) {
        rendezvous = made;
        published = record;
        if (!machine.state().isEnding()) {
            made.start();
        }
    }

    /** Publishes what the node is in this state, if that has changed. */
    void publish(AgentState state) {
        NodeRecord before = published;
        if (rendezvous == null || before == null) {
            return;
        }
        NodeRecord record = state.toRecord(settings, before.controlPort());
        if (!record.equals(before)) {
            published = record;
            rendezvous.update(record);
        }
    }

    /** A process is proved to be dead: ends its lease, and this life of it for those whom the store does not answer. */
    void proveDead(String deadNodeId, long deadRevision, long deadLease, String evidence) {
        if (rendezvous != null && !machine.stopped()) {
            rendezvous.proveDead(deadNodeId, deadRevision, deadLease, evidence);
        }
    }

    @Nullable
    Verdict verdict() {
        return verdict;
    }

    @Override
    public void onJoined(RunIdentity identity, long createRevision) {
        calls.await(made -> edges.prepare(identity, made));
        calls.run(() -> {
            edges.onJoined(identity, machine.state().identity() == null);
            machine.apply(new AgentEvent.Joined(identity, createRevision));
        });
    }

    @Override
    public void onRound(Round round) {
        calls.run(() -> {
            machine.apply(new AgentEvent.RoundPublished(round));
            edges.onRound(round);
        });
    }

    @Override
    public void onVerdict(Verdict reached) {
        calls.run(() -> {
            verdict = reached;
            edges.onVerdict(reached);
            machine.apply(new AgentEvent.VerdictReached(reached));
        });
    }

    @Override
    public void onLeaseDeadline(long deadlineNanos) {
        edges.onLeaseDeadline(deadlineNanos);
    }

    @Override
    public void onFenced() {
        calls.run(() -> machine.apply(new AgentEvent.Fenced()));
    }

    @Override
    public void onRestored(boolean stalled) {
        calls.run(() -> machine.apply(new AgentEvent.Restored(stalled && !edges.servesStore())));
    }

    @Override
    public void onMembershipLost() {
        calls.run(() -> machine.apply(new AgentEvent.MembershipLost()));
    }

    @Override
    public void onRecordChanged(byte[] record) {
        calls.run(() -> edges.onRecordChanged(record));
    }

    @Override
    public void onCoordinator(NodeRecord coordinator) {
        calls.run(() -> edges.onCoordinator(coordinator));
    }

    @Override
    public void onElected() {
        calls.run(edges::onElected);
    }

    @Override
    public void onRefused(String reason) {
        machine.apply(new AgentEvent.Aborted(ExitCode.USAGE.code(), reason));
    }

    @Override
    public boolean onOtherEncryption(String tls) {
        return edges.onOtherEncryption(tls);
    }

    @Override
    public void onStoreLost(String reason) {
        machine.apply(new AgentEvent.Aborted(ExitCode.STORE_LOST.code(), reason));
    }

    @Override
    public void onStoreTrouble(String trouble) {
        edges.onStoreTrouble(trouble);
    }

    @Override
    public void onStoreWell(String trouble) {
        edges.onStoreWell(trouble);
    }

    @Override
    public void onWaiting(String reason) {
        calls.run(() -> edges.onWaiting(reason));
    }

    @Override
    public void onKeptOut(List<KeptOut> nodes) {
        calls.run(() -> edges.onKeptOut(nodes));
    }

    @Override
    public void onDecided(Round decided, @Nullable Round previous) {
        calls.run(() -> edges.onDecided(decided));
    }

    @Override
    public void onPublished(Round round) {
        calls.run(() -> edges.onPublished(round));
    }

    @Override
    public void onSettled(CommandResult command) {
        calls.run(() -> edges.onSettled(command));
    }
}
