/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.view.Backoff;
import dev.elasticrun.rendezvous.view.RunStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Writes the command of a user under the next free number, once: the number is above all others, and a key is only ever
 * created, so that a write which arrives late finds its number taken. Owned by the loop.
 */
public final class CommandWrites {
    private static final int ATTEMPTS = 40;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final String incarnation;
    private final String specKey;

    public CommandWrites(RunStore run, String incarnation) {
        this.store = run.store();
        this.loop = run.loop();
        this.keys = run.keys();
        this.incarnation = incarnation;
        this.specKey = keys.spec();
    }

    /**
     * The number under which the command is in the store. Completes in the loop; exceptionally when the run has ended or
     * is another one now, or the store does not answer.
     */
    public CompletableFuture<Long> write(Command command) {
        CompletableFuture<Long> written = new CompletableFuture<>();
        look(command, new Backoff(), ATTEMPTS, written);
        return written;
    }

    /**
     * The command of that request, with its number, if it is in the store. Completes in the loop; exceptionally when the
     * store does not answer.
     */
    public CompletableFuture<Optional<Command>> find(String requestId) {
        CompletableFuture<Optional<Command>> found = new CompletableFuture<>();
        Operation.Get commands = new Operation.Get(KeyRange.prefix(keys.commands()));
        store.commit(new Transaction(List.of(), List.of(commands), List.of()))
                .whenComplete((read, error) -> loop.execute(() -> {
                    if (error == null) {
                        found.complete(read.entries().stream()
                                .filter(entry -> isOf(entry, requestId))
                                .map(entry -> CommandCodec.decode(entry)
                                        .command()
                                        .numbered(CommandCodec.number(keys, entry.key())))
                                .findFirst());
                    } else {
                        found.completeExceptionally(error);
                    }
                }));
        return found;
    }

    private void look(Command command, Backoff retry, int attempts, CompletableFuture<Long> written) {
        List<Operation> reads = List.of(
                new Operation.Get(KeyRange.prefix(keys.commands())),
                new Operation.Get(KeyRange.key(keys.round())),
                new Operation.Get(KeyRange.key(specKey)),
                new Operation.Get(KeyRange.key(keys.verdict())));
        store.commit(new Transaction(List.of(), reads, List.of()))
                .whenComplete((found, error) -> loop.execute(() -> {
                    if (error != null) {
                        again(command, retry, attempts, written, error.toString());
                    } else {
                        create(command, found.reads(), retry, attempts, written);
                    }
                }));
    }

    private void create(
            Command command, List<KeyValues> read, Backoff retry, int attempts, CompletableFuture<Long> written) {
        long number = read.get(1).entries().stream()
                .mapToLong(entry -> StoredRecord.round(entry).lastCommand())
                .max()
                .orElse(0);
        for (KeyValue entry : read.get(0).entries()) {
            long taken = CommandCodec.number(keys, entry.key());
            number = Math.max(number, taken);
            if (isOf(entry, command.requestId())) {
                written.complete(taken);
                return;
            }
        }
        KeyValue spec = read.get(2).entries().stream().findFirst().orElse(null);
        if (spec == null || !StoredRecord.spec(spec).incarnation().equals(incarnation)) {
            written.completeExceptionally(new IllegalStateException("the run is not in the store any more"));
            return;
        }
        if (!read.get(3).entries().isEmpty()) {
            String reason = StoredRecord.verdict(read.get(3).entries().get(0)).reason();
            written.completeExceptionally(new IllegalStateException("the run has ended: " + reason));
            return;
        }
        long next = number + 1;
        store.commit(new Transaction(
                        List.of(
                                new Guard.CreateRevision(keys.command(next), 0),
                                new Guard.CreateRevision(keys.verdict(), 0),
                                new Guard.ModRevision(specKey, spec.modRevision())),
                        List.of(new Operation.Put(
                                keys.command(next),
                                CommandCodec.encode(command.numbered(next), incarnation),
                                spec.leaseId())),
                        List.of()))
                .whenComplete((result, error) -> loop.execute(() -> {
                    if (error == null && result.succeeded()) {
                        written.complete(next);
                    } else {
                        // Another command has the number, or the outcome is not known: the next read shows it.
                        String why = error == null ? "other commands came first, again and again" : error.toString();
                        again(command, retry, attempts, written, why);
                    }
                }));
    }

    private void again(Command command, Backoff retry, int attempts, CompletableFuture<Long> written, String why) {
        if (attempts <= 1) {
            written.completeExceptionally(new IllegalStateException("the store did not take the command: " + why));
        } else {
            loop.schedule(retry.next(), () -> look(command, retry, attempts - 1, written));
        }
    }

    private static boolean isOf(KeyValue entry, String requestId) {
        try {
            return CommandCodec.decode(entry).command().requestId().equals(requestId);
        } catch (CorruptRecordException e) {
            return false;
        }
    }
}
