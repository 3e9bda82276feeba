/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.LocalStream;
import dev.elasticrun.worker.internal.checkpoint.NodeFiles;
import dev.elasticrun.worker.internal.checkpoint.PooledBlob;
import dev.elasticrun.worker.internal.checkpoint.StagedStream;
import dev.elasticrun.worker.internal.checkpoint.StateCopier;
import dev.elasticrun.worker.internal.checkpoint.StateInput;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.StateReader;
import dev.elasticrun.worker.internal.checkpoint.StateWriter;
import dev.elasticrun.worker.internal.checkpoint.transfer.Replication;
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
    private boolean isParting;

    public CheckpointCalls(Engine engine, CarriedState carriedState, NodeFiles files) {
        this.engine = engine;
        this.checkpointStore = carriedState.checkpointStore();
        this.history = carriedState.history();
        this.commits = carriedState.commits();
        this.files = files;
    }

    /** Whether workers may end after the next ones. */
    public void parting(boolean isLast) {
        isParting = isLast;
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
        commit(call, checkpoint, Optional.empty(), Optional.of(copyOfLocal(local)), Operation.WITH_LOCAL);
    }

    public void commit(Call call, byte[] state, StateWriter local) {
        Checkpoint checkpoint = copyOf(state);
        StatePart own = written(checkpoint, local);
        commit(call, checkpoint, Optional.empty(), Optional.of(own), Operation.WITH_STREAMED_LOCAL);
    }

    /** The state goes from the program to the file of the node, block by block. */
    public void commit(Call call, StateWriter state) {
        StagedStream stream = stream(state);
        commit(call, written(stream), Optional.of(stream), Optional.empty(), Operation.STREAMED);
    }

    public void commit(Call call, StateWriter state, byte[] local) {
        StagedStream stream = stream(state);
        Checkpoint checkpoint = written(stream);
        StatePart own = copyOfLocal(local);
        commit(call, checkpoint, Optional.of(stream), Optional.of(own), Operation.STREAMED_WITH_LOCAL);
    }

    public void commit(Call call, StateWriter state, StateWriter local) {
        StagedStream stream = stream(state);
        Checkpoint checkpoint = written(stream);
        StatePart own = written(checkpoint, local);
        commit(call, checkpoint, Optional.of(stream), Optional.of(own), Operation.STREAMED_WITH_STREAMED_LOCAL);
    }

    /**
     * @param stream how the state was written, if the first worker of each node has it in a file
     * @param own this rank's local state, if ranks have any
     */
    private void commit(
            Call call, Checkpoint checkpoint, Optional<StagedStream> stream, Optional<StatePart> own, int variant) {
        WorkerInfo info = engine.activeRound().info();
        own.ifPresent(part -> checkpoint.keep(info.world(), info.rank(), List.of(part)));
        checkpointStore.supersede(checkpoint);
        describe(call, checkpoint, variant);
        call.step((operation, exchange) -> {
            // All are here: the file of each node is whole, and copies meet no other operation.
            exchange.agree(operation, checkpoint.id().digest());
            if (stream.isPresent()) {
                find(stream.get(), checkpoint);
            }
            if (own.isPresent()) {
                replication().run(checkpoint, own.get());
            }
            agree(operation, exchange, checkpoint);
        });
        run(checkpoint);
    }

    private StatePart copyOfLocal(byte[] local) {
        WorkerInfo info = engine.activeRound().info();
        PooledBlob content = checkpointStore.localPool().take(local.length);
        int threads = StateCopier.threads(info.localWorldSize());
        long digest = StateCopier.copy(local, content.buffer(), local.length, threads);
        return new StatePart(info.rank(), info.rank(), true, digest, content);
    }

    /** The local state goes from the program to a file. */
    private StatePart written(Checkpoint checkpoint, StateWriter local) {
        try {
            return new LocalStream(checkpointStore)
                    .write(local, checkpoint.id(), engine.activeRound().info().rank());
        } catch (IOException e) {
            checkpoint.release();
            throw cannotKeep("local state", checkpoint.id().version(), e);
        } catch (RuntimeException | Error e) {
            checkpoint.release();
            throw e;
        }
    }

    private StagedStream stream(StateWriter state) {
        WorkerInfo info = engine.activeRound().info();
        long version = checkpointStore.version() + 1;
        return new StagedStream(state, engine.incarnation(), info.world(), version, info.worldSize(), checkpointStore);
    }

    private Checkpoint written(StagedStream stream) {
        try {
            return stream.write(engine.activeRound().info().localRank() == 0);
        } catch (IOException e) {
            throw cannotKeep("state", checkpointStore.version() + 1, e);
        }
    }

    private static void find(StagedStream stream, Checkpoint checkpoint) {
        try {
            stream.find(checkpoint);
        } catch (IOException e) {
            throw cannotKeep("state", checkpoint.id().version(), e);
        }
    }

    private static UncheckedIOException cannotKeep(String what, long version, IOException cause) {
        return new UncheckedIOException(
                "cannot keep the " + what + " of version " + version + ": " + cause.getMessage(), cause);
    }

    /** Gives the newest one to the reader; false = there is none. */
    public boolean load(StateReader reader) {
        Optional<Checkpoint> newest = checkpointStore.newest();
        newest.ifPresent(checkpoint -> read(
                "state", checkpoint, checkpoint.global(checkpointStore.pool()).content(), reader));
        return newest.isPresent();
    }

    /** Gives this rank's local state to the reader; false = there is none. */
    public boolean loadLocal(StateReader reader) {
        Optional<Checkpoint> newest = checkpointStore.newest();
        Optional<StatePart> own = newest.flatMap(Checkpoint::ownLocal);
        own.ifPresent(part -> read("local state", newest.orElseThrow(), part.content(), reader));
        return own.isPresent();
    }

    /** Gives a local state that was offered to this rank to the reader. */
    public void loadOrphan(int owner, StateReader reader) {
        Optional<Checkpoint> newest = checkpointStore.newest();
        StatePart orphan = newest.stream()
                .flatMap(checkpoint -> checkpoint.orphanedLocals().stream())
                .filter(part -> part.owner() == owner)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "rank: " + owner + " (expected: one of the orphaned ranks " + orphanedRanks() + ")"));
        read("local state of rank " + owner, newest.orElseThrow(), orphan.content(), reader);
    }

    private static void read(String what, Checkpoint checkpoint, Content content, StateReader reader) {
        try (StateInput in = new StateInput(content)) {
            reader.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read the " + what + " of version " + checkpoint.id().version() + ": " + e.getMessage(), e);
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
        return checkpointStore.newest().flatMap(Checkpoint::ownLocal).map(part -> part.content()
                .toBytes());
    }

    public SortedSet<Integer> lostLocals() {
        return new TreeSet<>(checkpointStore.lostLocals());
    }

    public SortedMap<Integer, byte[]> orphanedLocals() {
        SortedMap<Integer, byte[]> orphans = new TreeMap<>();
        checkpointStore.newest().ifPresent(checkpoint -> checkpoint
                .orphanedLocals()
                .forEach(part -> orphans.put(part.owner(), part.content().toBytes())));
        return orphans;
    }

    public SortedSet<Integer> orphanedRanks() {
        SortedSet<Integer> ranks = new TreeSet<>();
        checkpointStore
                .newest()
                .ifPresent(checkpoint -> checkpoint.orphanedLocals().forEach(part -> ranks.add(part.owner())));
        return ranks;
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

    private void describe(Call call, Checkpoint checkpoint, int variant) {
        call.operation()
                .set(
                        Operation.Kind.CHECKPOINT,
                        ElementType.NONE,
                        null,
                        variant,
                        checkpoint.id().version())
                .parting(isParting);
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
        files.keep(checkpoint, info.localRank(), checkpointStore);
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
