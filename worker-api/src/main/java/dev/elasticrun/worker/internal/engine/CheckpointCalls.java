/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.NodeFiles;
import dev.elasticrun.worker.internal.checkpoint.PooledBlob;
import dev.elasticrun.worker.internal.checkpoint.Replication;
import dev.elasticrun.worker.internal.checkpoint.StagedStream;
import dev.elasticrun.worker.internal.checkpoint.StateCopier;
import dev.elasticrun.worker.internal.checkpoint.StateInput;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.StateReader;
import dev.elasticrun.worker.internal.checkpoint.StateWriter;
import dev.elasticrun.worker.internal.exchange.Call;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.replay.OperationLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The calls of a collective that make and read checkpoints. User thread. */
public final class CheckpointCalls {
    private final Engine engine;
    private final CheckpointStore checkpointStore;
    private final OperationLog history;
    private final CommitReports commits;
    private final NodeFiles files;

    public CheckpointCalls(Engine engine, CarriedState carriedState, NodeFiles files) {
        this.engine = engine;
        this.checkpointStore = carriedState.checkpointStore();
        this.history = carriedState.history();
        this.commits = carriedState.commits();
        this.files = files;
    }

    public void commit(Call call, byte[] state) {
        Checkpoint checkpoint = copyOf(state);
        checkpointStore.supersede(checkpoint);
        describe(call, checkpoint, Operation.PLAIN);
        call.step((operation, exchange) -> agree(operation, exchange, checkpoint));
        run(checkpoint);
    }

    public void commit(Call call, byte[] state, byte[] local) {
        Checkpoint checkpoint = copyOf(state);
        PooledBlob content = checkpointStore.localPool().take(local.length);
        WorkerInfo info = engine.activeRound().info();
        int threads = StateCopier.threads(info.localWorldSize());
        long digest = StateCopier.copy(local, content.buffer(), local.length, threads);
        StatePart own = new StatePart(info.rank(), info.rank(), true, digest, content);
        checkpoint.keep(info.world(), info.rank(), List.of(own));
        checkpointStore.supersede(checkpoint);
        describe(call, checkpoint, Operation.WITH_LOCAL);
        call.step((operation, exchange) -> {
            // All are here, so that copies meet no other operation.
            exchange.agree(operation, checkpoint.id().digest());
            replication().run(checkpoint, own);
            agree(operation, exchange, checkpoint);
        });
        run(checkpoint);
    }

    /** The state goes from the program to the file of the node, block by block. */
    public void commit(Call call, StateWriter state) {
        WorkerInfo info = engine.activeRound().info();
        long version = checkpointStore.version() + 1;
        StagedStream stream =
                new StagedStream(state, engine.incarnation(), info.world(), version, info.worldSize(), checkpointStore);
        Checkpoint checkpoint;
        try {
            checkpoint = stream.write(info.localRank() == 0);
        } catch (IOException e) {
            throw cannotKeep(version, e);
        }
        checkpointStore.supersede(checkpoint);
        describe(call, checkpoint, Operation.STREAMED);
        call.step((operation, exchange) -> {
            // The file of each node is whole when all are here.
            exchange.agree(operation, checkpoint.id().digest());
            try {
                stream.find(checkpoint);
            } catch (IOException e) {
                throw cannotKeep(version, e);
            }
            agree(operation, exchange, checkpoint);
        });
        run(checkpoint);
    }

    private static UncheckedIOException cannotKeep(long version, IOException cause) {
        return new UncheckedIOException(
                "cannot keep the state of version " + version + ": " + cause.getMessage(), cause);
    }

    /** Gives the newest one to the reader; false = there is none. */
    public boolean load(StateReader reader) {
        Optional<Checkpoint> newest = checkpointStore.newest();
        if (newest.isEmpty()) {
            return false;
        }
        Content content = newest.get().global(checkpointStore.pool()).content();
        try (StateInput in = new StateInput(content)) {
            reader.read(in);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read the state of version " + newest.get().id().version() + ": " + e.getMessage(), e);
        }
    }

    public void commitLazily(Call call, Supplier<byte[]> state) {
        WorkerInfo info = engine.activeRound().info();
        Checkpoint checkpoint = Checkpoint.lazy(
                state, engine.incarnation(), info.world(), checkpointStore.version() + 1, info.worldSize());
        // From now on the one before cannot be written down: not even a round that is over may leave it in the store.
        checkpointStore.stage(checkpoint);
        describe(call, checkpoint, Operation.LAZY);
        call.step((operation, exchange) -> agree(operation, exchange, checkpoint));
        run(checkpoint);
    }

    public Optional<byte[]> load() {
        return checkpointStore
                .newest()
                .map(checkpoint ->
                        checkpoint.global(checkpointStore.pool()).content().toBytes());
    }

    public Optional<byte[]> loadLocal() {
        return checkpointStore.newest().flatMap(checkpoint -> checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && part.isOwn())
                .map(part -> part.content().toBytes())
                .findFirst());
    }

    public SortedSet<Integer> lostLocals() {
        return new TreeSet<>(checkpointStore.lostLocals());
    }

    public SortedMap<Integer, byte[]> orphanedLocals() {
        SortedMap<Integer, byte[]> orphans = new TreeMap<>();
        checkpointStore.newest().ifPresent(checkpoint -> checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && !part.isOwn())
                .forEach(part -> orphans.put(part.owner(), part.content().toBytes())));
        return orphans;
    }

    private Checkpoint copyOf(byte[] state) {
        WorkerInfo info = engine.activeRound().info();
        return Checkpoint.copyOf(
                state,
                engine.incarnation(),
                info.world(),
                checkpointStore.version() + 1,
                info.worldSize(),
                checkpointStore.pool(),
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
        checkpointStore.stage(checkpoint);
        engine.instant(FaultInjector.Instant.STAGED);
        exchange.agree(operation, checkpoint.id().digest());
        engine.instant(FaultInjector.Instant.AGREED);
        engine.activeRound().round().commit(checkpointStore::commit);
        history.checkpointed(checkpoint.id().version());
        WorkerInfo info = engine.activeRound().info();
        engine.control().committed(checkpoint.id().version());
        commits.committed(info.rank(), checkpoint.id().version(), engine.control(), System.nanoTime());
        files.keep(checkpoint, info.localRank(), checkpointStore.pool());
        files.durable().ifPresent(copies -> copies.keep(checkpoint, info.rank(), checkpointStore.pool()));
    }

    private Replication replication() {
        ActiveRound activeRound = engine.activeRound();
        return new Replication(
                activeRound.round().mesh(),
                checkpointStore,
                activeRound.info().world(),
                files.options().redundancy());
    }
}
