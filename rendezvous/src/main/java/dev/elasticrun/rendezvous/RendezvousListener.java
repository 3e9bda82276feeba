/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What rendezvous tells its agent. Every method is called in the loop, must not block and should not throw. */
public interface RendezvousListener {

    /**
     * The node is registered, for the first time or again after its lease was lost.
     *
     * @param createRevision this life of the node: a round that names another one is not about it
     */
    void onJoined(RunIdentity identity, long createRevision);

    /** A newer round, sealed or suspended, is in the store; also called with the newest one after joining. */
    void onRound(Round round);

    /** The run has ended; called once. */
    void onVerdict(Verdict verdict);

    /** The node's lease may be trusted until then, on the loop's clock. */
    void onLeaseDeadline(long deadlineNanos);

    /** The lease deadline passed: workers must behave as paused. */
    void onFenced();

    /**
     * The lease held after all.
     *
     * @param stalled whether it was this process that did not run, rather than the store that did not answer
     */
    void onRestored(boolean stalled);

    /** The lease is gone and with it the node's place; a new registration follows, with the record as it is then. */
    void onMembershipLost();

    /**
     * The node's record changed. The store is being told; whoever can reach the coordinator sooner may hand it these
     * bytes, for {@link Rendezvous#hear}.
     */
    default void onRecordChanged(byte[] record) {}

    /** Another agent is the coordinator now. */
    void onCoordinator(NodeRecord coordinator);

    /** This agent is the coordinator now. */
    void onElected();

    /** The run does not want this agent, or the store is not to be trusted: exit code 2. */
    void onRefused(String reason);

    /**
     * The run encrypts otherwise than this agent would, and nothing else differs. A listener that starts over with what
     * the run has returns true; for others {@link #onRefused} follows.
     *
     * @param tls as in {@link RendezvousConfig#tls}
     */
    default boolean onOtherEncryption(String tls) {
        return false;
    }

    /** The store did not answer at all, is gone for too long, or is another one: exit code 5. */
    void onStoreLost(String reason);

    /** The store is silent for longer than a lease, or refuses writes; told again while it lasts. */
    default void onStoreTrouble(String trouble) {}

    /** What {@link #onStoreTrouble} told is over. */
    default void onStoreWell(String trouble) {}

    /**
     * This agent is the coordinator and waits for something, or something else than before; or it has not joined yet and
     * waits for the nodes of an ended run of this id.
     */
    void onWaiting(String reason);

    /** This agent is the coordinator, and does not put these ready nodes into a round for now. */
    default void onKeptOut(List<KeptOut> nodes) {}

    /** This agent is the coordinator and is about to write a round. */
    void onDecided(Round decided, @Nullable Round previous);

    /** This agent is the coordinator and wrote a round. */
    void onPublished(Round published);

    /** This agent is the coordinator and consumed a command; what it leads to is in the store. */
    default void onSettled(CommandResult command) {}
}
