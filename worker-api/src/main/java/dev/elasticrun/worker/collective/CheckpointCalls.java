/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The calls of a collective that make and read checkpoints. User thread. */
final class CheckpointCalls {
    private final Engine engine;
    private final CheckpointShelf shelf;
    private final History history;
    private final CommitReports commits;
    private final NodeFiles files;

    CheckpointCalls(Engine engine, Belongings belongings, NodeFiles files) {
        this.engine = engine;
        this.shelf = belongings.shelf();
        this.history = belongings.history();
        this.commits = belongings.commits();
        this.files = files;
    }

    void commit(Call call, byte[] state) {
        Checkpoint checkpoint = copyOf(state);
        shelf.supersede(checkpoint);
        describe(call, checkpoint, Operation.PLAIN);
        call.step((operation, exchange) -> agree(operation, exchange, checkpoint));
        run(checkpoint);
    }

    void commit(Call call, byte[] state, byte[] local) {
        Checkpoint checkpoint = copyOf(state);
        Content content = shelf.localPool().take(local.length);
        WorkerInfo info = engine.footing().info();
        int threads = StateCopier.threads(info.localWorldSize());
        long digest = StateCopier.copy(local, content.buffer(), local.length, threads);
        Part own = new Part(info.rank(), info.rank(), true, digest, content);
        checkpoint.keep(info.world(), info.rank(), List.of(own));
        shelf.supersede(checkpoint);
        describe(call, checkpoint, Operation.WITH_LOCAL);
        call.step((operation, exchange) -> {
            // All are here, so that copies meet no other operation.
            exchange.agree(operation, checkpoint.id().digest());
            replication().run(checkpoint, own);
            agree(operation, exchange, checkpoint);
        });
        run(checkpoint);
    }

    void commitLazily(Call call, Supplier<byte[]> state) {
        WorkerInfo info = engine.footing().info();
        Checkpoint checkpoint =
                Checkpoint.lazy(state, engine.incarnation(), info.world(), shelf.version() + 1, info.worldSize());
        // From now on the one before cannot be written down: not even a round that is over may leave it on the shelf.
        shelf.stage(checkpoint);
        describe(call, checkpoint, Operation.LAZY);
        call.step((operation, exchange) -> agree(operation, exchange, checkpoint));
        run(checkpoint);
    }

    Optional<byte[]> load() {
        return shelf.newest()
                .map(checkpoint -> checkpoint.global(shelf.pool()).content().toBytes());
    }

    Optional<byte[]> loadLocal() {
        return shelf.newest().flatMap(checkpoint -> checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && part.isOwn())
                .map(part -> part.content().toBytes())
                .findFirst());
    }

    SortedSet<Integer> lostLocals() {
        return new TreeSet<>(shelf.lostLocals());
    }

    SortedMap<Integer, byte[]> orphanedLocals() {
        SortedMap<Integer, byte[]> orphans = new TreeMap<>();
        shelf.newest().ifPresent(checkpoint -> checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && !part.isOwn())
                .forEach(part -> orphans.put(part.owner(), part.content().toBytes())));
        return orphans;
    }

    private Checkpoint copyOf(byte[] state) {
        WorkerInfo info = engine.footing().info();
        return Checkpoint.copyOf(
                state,
                engine.incarnation(),
                info.world(),
                shelf.version() + 1,
                info.worldSize(),
                shelf.pool(),
                StateCopier.threads(info.localWorldSize()));
    }

    private static void describe(Call call, Checkpoint checkpoint, int variant) {
        call.operation()
                .set(
                        Operation.Kind.CHECKPOINT,
                        ElementType.NONE,
                        null,
                        variant,
                        checkpoint.id().version());
    }

    private void run(Checkpoint checkpoint) {
        try {
            engine.run();
        } finally {
            checkpoint.release();
        }
    }

    private void agree(Operation operation, Exchange exchange, Checkpoint checkpoint) throws BrokenLinkException {
        shelf.stage(checkpoint);
        engine.instant(OperationListener.Instant.STAGED);
        exchange.agree(operation, checkpoint.id().digest());
        engine.instant(OperationListener.Instant.AGREED);
        engine.footing().round().commit(shelf::commit);
        history.checkpointed(checkpoint.id().version());
        WorkerInfo info = engine.footing().info();
        engine.control().committed(checkpoint.id().version());
        commits.committed(info.rank(), checkpoint.id().version(), engine.control(), System.nanoTime());
        files.keep(checkpoint, info.localRank(), shelf.pool());
        files.durable().ifPresent(copies -> copies.keep(checkpoint, info.rank(), shelf.pool()));
    }

    private Replication replication() {
        Footing footing = engine.footing();
        return new Replication(
                footing.round().mesh(),
                shelf,
                footing.info().world(),
                files.options().localReplicas());
    }
}
