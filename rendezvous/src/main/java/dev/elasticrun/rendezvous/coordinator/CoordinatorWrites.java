/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator writes. Every write is guarded by its {@link Fence}: one that was deposed writes nothing more.
 * Futures complete on a thread of the store.
 */
public final class CoordinatorWrites {
    /** The number of answered commands that are kept, for callers that ask again. */
    public static final int KEPT_COMMANDS = 32;
    /** The number of incidents that are kept for users; no decision depends on them. */
    public static final int KEPT_INCIDENTS = 1000;

    private static final Duration VERDICT_TTL = Duration.ofMinutes(10);
    /** How long an early failure binds agents that were started with the first ones, but are slower. */
    private static final Duration LATECOMERS = Duration.ofSeconds(30);

    private final RendezvousStore store;
    private final RunKeys keys;
    private final String incarnation;
    private final long runLease;
    private final Fence fence;

    /** @param runLease that what belongs to the run is bound to; 0 = none */
    CoordinatorWrites(RendezvousStore store, RunKeys keys, String incarnation, long runLease, Fence fence) {
        this.store = store;
        this.keys = keys;
        this.incarnation = incarnation;
        this.runLease = runLease;
        this.fence = fence;
    }

    /**
     * Refused when the round is not any more what the plan was made from, or when there is a verdict: one of ours may
     * have arrived after it was given up.
     *
     * @param bytes the encoded round
     * @param fromRound number of the round before; 0 = none
     * @param roundRevision modification revision of the round before; 0 = none
     * @param settled the command that is consumed with it; null = none
     * @param check what is read in the same transaction
     */
    CompletableFuture<TransactionResult> round(
            Round next,
            byte[] bytes,
            long fromRound,
            long roundRevision,
            @Nullable CommandResult settled,
            Operation.Get check) {
        List<Operation> writes = new ArrayList<>(List.of(new Operation.Put(keys.round(), bytes, runLease)));
        if (next.suspended() || next.number() > fromRound) {
            byte[] incident = RecordCodec.encodeIncident(next.incident(), fromRound, next.number(), next.causes());
            writes.add(new Operation.Put(keys.incident(next.incident()), incident, runLease));
            if (next.incident() > KEPT_INCIDENTS) {
                writes.add(new Operation.Delete(KeyRange.key(keys.incident(next.incident() - KEPT_INCIDENTS))));
            }
        }
        writes.addAll(consumption(settled));
        writes.add(check);
        return store.commit(new Transaction(
                fence.and(
                        keys,
                        new Guard.CreateRevision(keys.verdict(), 0),
                        new Guard.ModRevision(keys.round(), roundRevision)),
                writes,
                List.of()));
    }

    /** What became of a command, with what it changes; old ones go. */
    private List<Operation> consumption(@Nullable CommandResult settled) {
        if (settled == null) {
            return List.of();
        }
        List<Operation> writes = new ArrayList<>();
        long number = settled.command().number();
        writes.add(new Operation.Put(keys.command(number), CommandCodec.encode(settled, incarnation), runLease));
        settled.target()
                .ifPresent(target -> writes.add(
                        new Operation.Put(keys.target(), CommandCodec.encode(target, number, incarnation), runLease)));
        if (number > KEPT_COMMANDS) {
            writes.add(new Operation.Delete(KeyRange.key(keys.command(number - KEPT_COMMANDS))));
        }
        return writes;
    }

    /**
     * Refused when there is a verdict.
     *
     * @param bindsLatecomers whether it also binds agents that register for the first time after it
     * @param settled the command that is consumed with it; null = none
     */
    CompletableFuture<TransactionResult> verdict(
            Verdict decided, boolean bindsLatecomers, @Nullable CommandResult settled) {
        List<Operation> writes = new ArrayList<>(consumption(settled));
        return store.grantLease(VERDICT_TTL)
                .thenCompose(lease -> {
                    writes.add(new Operation.Put(keys.verdict(), RecordCodec.encode(decided, incarnation), lease));
                    return bindsLatecomers
                            ? store.grantLease(LATECOMERS)
                                    .thenAccept(
                                            late -> writes.add(new Operation.Put(keys.binding(), new byte[0], late)))
                            : CompletableFuture.completedFuture(null);
                })
                .thenCompose(granted -> store.commit(new Transaction(
                        fence.and(keys, new Guard.CreateRevision(keys.verdict(), 0)), writes, List.of())));
    }
}
