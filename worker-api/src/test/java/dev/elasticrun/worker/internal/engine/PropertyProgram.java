/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.engine.PropertySchedule.Keeping;
import dev.elasticrun.worker.internal.engine.PropertySchedule.Op;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntPredicate;

/** A user's program: works through the schedule from the loaded checkpoint, and looks at every element of every result. */
final class PropertyProgram {
    private final PropertySchedule schedule;
    private final PropertyReference reference;
    private final IntPredicate keepsAllLocals;
    private long highestVersion;

    /** @param keepsAllLocals whether so few have died that no local state of a world of that size can be lost */
    PropertyProgram(PropertySchedule schedule, PropertyReference reference, IntPredicate keepsAllLocals) {
        this.schedule = schedule;
        this.reference = reference;
        this.keepsAllLocals = keepsAllLocals;
    }

    void run(Collective collective) {
        PropertyState state = restore(collective, bootstrap(collective));
        BitSet owners = owners(collective, state);
        while (state.version() < schedule.versions().size()) {
            int version = state.version();
            if (version > 0 && keeping(version - 1) == Keeping.LOCAL) {
                // What follows a lazy one is held before it is copied to others.
                boolean isCopied = version == 1 || keeping(version - 2) != Keeping.LAZY;
                requireEachOnce(collective, owners, state.worlds().get(version - 1), isCopied);
            }
            // Not in the state itself, which a lazy checkpoint may have to write down until the next one is called.
            long model = steps(collective, version, state.model());
            state.add(model, collective.worldSize());
            keep(collective, state);
            owners.clear();
            owners.set(collective.rank());
            highestVersion = Math.max(highestVersion, state.version());
            require(collective.version() == state.version(), "version: " + collective.version());
        }
        collective.close();
    }

    /** How many workers there were when it was first asked; and what must be asked again in each world. */
    private long bootstrap(Collective collective) {
        long[] first = {1};
        collective.bootstrapAllReduce("first world", BootstrapScope.JOB, first, ReduceOp.SUM, () -> {});
        int[] world = {1};
        collective.bootstrapAllReduce("world", BootstrapScope.MEMBERSHIP, world, ReduceOp.SUM, () -> {});
        require(world[0] == collective.worldSize(), "a world of " + world[0]);
        for (int i = 0; i < 2; i++) {
            long[] seed = {collective.rank() == 0 ? schedule.seed() + i : -1};
            collective.bootstrapBroadcast(seed, 0);
            require(seed[0] == schedule.seed() + i, "seed " + seed[0]);
        }
        return first[0];
    }

    private PropertyState restore(Collective collective, long firstWorld) {
        PropertyState state = collective
                .loadCheckpoint()
                .map(content -> PropertyState.decode(content, schedule.state()))
                .orElseGet(() -> new PropertyState(firstWorld, schedule.seed(), schedule.state()));
        require(state.firstWorld() == firstWorld, "first a world of " + state.firstWorld() + ", then of " + firstWorld);
        require(state.version() == collective.version(), "restored " + state.worlds());
        require(
                state.model() == reference.model(state.worlds()),
                "restored another model after worlds " + state.worlds());
        require(
                collective.version() >= highestVersion,
                "back to version " + collective.version() + " after " + highestVersion);
        return state;
    }

    private Keeping keeping(int version) {
        return schedule.versions().get(version).keeping();
    }

    private void keep(Collective collective, PropertyState state) {
        switch (keeping(state.version() - 1)) {
            case GLOBAL -> collective.checkpoint(state.encode());
            case LOCAL ->
                collective.checkpoint(
                        state.encode(), local(collective.rank(), collective.worldSize(), state.version()));
            case LAZY -> collective.lazyCheckpoint(state::encode);
        }
    }

    /** Whose local states this rank goes on with: what it has must be right, and belong to the checkpoint. */
    private BitSet owners(Collective collective, PropertyState state) {
        BitSet owners = new BitSet();
        Optional<byte[]> mine = collective.loadLocal();
        if (state.version() == 0 || keeping(state.version() - 1) != Keeping.LOCAL) {
            require(mine.isEmpty() && collective.orphanedLocals().isEmpty(), "a local state of another version");
            return owners;
        }
        int world = state.worlds().get(state.version() - 1);
        mine.ifPresent(local -> {
            int owner = ByteBuffer.wrap(local).getInt();
            require(Arrays.equals(local, local(owner, world, state.version())), "local state of rank " + owner);
            owners.set(owner);
        });
        collective.orphanedLocals().forEach((owner, local) -> {
            require(Arrays.equals(local, local(owner, world, state.version())), "orphan of rank " + owner);
            require(!owners.get(owner), "own and orphan: the local state of rank " + owner);
            owners.set(owner);
        });
        return owners;
    }

    /** Each local state is with one rank; none is lost without reason. */
    private void requireEachOnce(Collective collective, BitSet owners, int world, boolean isCopied) {
        long[] mine = {owners.isEmpty() ? 0 : owners.toLongArray()[0]};
        long[] all = new long[collective.worldSize()];
        collective.allGather(mine, all);
        long union = 0;
        for (long some : all) {
            require((union & some) == 0, "a local state with two ranks: " + Arrays.toString(all));
            union |= some;
        }
        require(
                !isCopied || !keepsAllLocals.test(world) || union == (1L << world) - 1,
                "local states are lost: " + Arrays.toString(all) + " of " + world);
    }

    private static byte[] local(int owner, int world, int version) {
        ByteBuffer out = ByteBuffer.allocate(3 * Integer.BYTES + owner * 37 % 4 * 20_000);
        return out.putInt(owner).putInt(world).putInt(version).array();
    }

    private long steps(Collective collective, int version, long from) {
        long model = from;
        List<CompletableFuture<long[]>> queued = new ArrayList<>();
        List<Op> ops = schedule.versions().get(version).ops();
        for (int index = 0; index <= ops.size(); index++) {
            boolean isQueued = index < ops.size() && ops.get(index).isAsync();
            if (isQueued) {
                queued.add(PropertyCall.queue(
                        collective,
                        ops.get(index),
                        reference.input(version, index, collective.rank(), collective.worldSize())));
                continue;
            }
            for (int i = 0; i < queued.size(); i++) {
                model = checked(collective, version, index - queued.size() + i, await(queued.get(i)), model);
            }
            queued.clear();
            if (index < ops.size()) {
                long[] input = reference.input(version, index, collective.rank(), collective.worldSize());
                model = checked(collective, version, index, PropertyCall.run(collective, ops.get(index), input), model);
            }
        }
        return model;
    }

    private static long[] await(CompletableFuture<long[]> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for a future");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            } else if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        }
    }

    private long checked(Collective collective, int version, int index, long[] result, long model) {
        Op op = schedule.versions().get(version).ops().get(index);
        long[] expected = reference.result(version, index, collective.rank(), collective.worldSize());
        int difference = Arrays.mismatch(result, expected);
        require(
                difference < 0,
                op + ": element " + difference + " of version " + version + ", operation " + index + ", rank "
                        + collective.rank() + " of " + collective.worldSize());
        return PropertyReference.fold(model, op, result);
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
