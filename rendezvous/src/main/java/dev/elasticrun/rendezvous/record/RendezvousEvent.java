/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.util.List;

/**
 * Something that happened to a node's part in its run. All are delivered in the loop, in the order in which they
 * happened, to the one consumer that the rendezvous was made with; it must not block and should not throw.
 */
public sealed interface RendezvousEvent {

    /** How far the node's lease may be trusted. */
    sealed interface OfLease extends RendezvousEvent {}

    /** How the store serves this agent. */
    sealed interface OfStore extends RendezvousEvent {}

    /** The coordinator of the run, and what this agent does and finds while it is the coordinator. */
    sealed interface OfCoordination extends RendezvousEvent {}

    /**
     * The node is registered, for the first time or again after its lease was lost.
     *
     * @param createRevision identifies this registration of the node: a round that names another one is not about it
     * @param leaseId the lease that the node's key is bound to
     * @param revokedBefore whether the node lost its key before although its lease was good: it was declared dead, and
     *     is not
     */
    record Joined(RunIdentity identity, long createRevision, long leaseId, boolean revokedBefore)
            implements RendezvousEvent {}

    /** The lease is gone and with it the node's place; a new registration follows, with the record as it is then. */
    record MembershipLost() implements RendezvousEvent {}

    /**
     * The node's record changed, and is on its way to the store. An agent with a connection to the coordinator can hand
     * it these bytes sooner, for its rendezvous to receive.
     *
     * @param record owned by the receiver
     */
    record RecordChanged(byte[] record) implements RendezvousEvent {}

    /** A newer round, sealed or suspended, is in the store; also the newest one after joining again. */
    record RoundChanged(Round round) implements RendezvousEvent {}

    /** The run has ended; happens once. */
    record RunEnded(Verdict verdict) implements RendezvousEvent {}

    /** The run does not want this agent. */
    record Refused(String reason) implements RendezvousEvent {}

    /**
     * The run encrypts otherwise than this agent would, and nothing else differs. An agent that does not start over with
     * what the run has is refused.
     *
     * @param tls as in {@code RunTerms}
     * @param reason for {@link Refused}
     */
    record EncryptionDiffers(String tls, String reason) implements RendezvousEvent {}

    /**
     * A registered node's lease may be trusted until then.
     *
     * @param nanos on the loop's clock
     */
    record LeaseDeadline(long nanos) implements OfLease {}

    /** The lease deadline passed: workers must behave as paused. */
    record Fenced() implements OfLease {}

    /**
     * The lease held after all.
     *
     * @param stalled whether it was this process that did not run, rather than the store that did not answer
     */
    record Restored(boolean stalled) implements OfLease {}

    /**
     * The store is silent for longer than a lease, or refuses writes; repeated while it lasts.
     *
     * @param trouble what is wrong and for how long
     */
    record StoreTrouble(String trouble) implements OfStore {}

    /** What {@link StoreTrouble} reported is over. */
    record StoreWell(String trouble) implements OfStore {}

    /** The store did not answer at all, is gone for too long, or is another one; nothing follows about the store. */
    record StoreLost(String reason) implements OfStore {}

    /** The store answered before the node was registered, but not as one that can be trusted; nothing follows about it. */
    record StoreUntrusted(String reason) implements OfStore {}

    /** Another agent is the coordinator now. */
    record CoordinatorChanged(NodeRecord coordinator) implements OfCoordination {}

    /** This agent is the coordinator now. */
    record Elected() implements OfCoordination {}

    /**
     * The coordinator waits for something, or something else than before; repeated while it lasts. Or this agent has not
     * joined yet, and waits for the nodes of an ended run of this id.
     *
     * @param notice whether a user may have to do something about it
     */
    record Waiting(String reason, boolean notice) implements OfCoordination {
        public Waiting(String reason) {
            this(reason, true);
        }
    }

    /** All ready nodes that the coordinator does not put into a round for now; happens when they or their reasons change. */
    record NodesKeptOut(List<KeptOut> nodes) implements OfCoordination {
        public NodesKeptOut {
            nodes = List.copyOf(nodes);
        }
    }

    /** The coordinator is about to write a round: its answer to an incident begins. */
    record RoundDecided(Round round) implements OfCoordination {}

    /** The coordinator wrote a round. */
    record RoundPublished(Round round) implements OfCoordination {}

    /**
     * The coordinator recorded that restarts came back by progress.
     *
     * @param round as it was written again
     */
    record RestartsReturned(int count, Round round, RestartBudget budget) implements OfCoordination {}

    /** The coordinator consumed a command; what it leads to is in the store. */
    record CommandSettled(CommandResult result) implements OfCoordination {}
}
