/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.collective.PropertySchedule.Op;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A user's program: works through the schedule from the loaded checkpoint, and looks at every element of every result. */
final class PropertyProgram {
    private final PropertySchedule schedule;
    private final PropertyReference reference;
    private long highestVersion;

    PropertyProgram(PropertySchedule schedule, PropertyReference reference) {
        this.schedule = schedule;
        this.reference = reference;
    }

    void run(Collective collective) {
        State state = restore(collective, bootstrap(collective));
        while (state.worlds.size() < schedule.versions().size()) {
            int version = state.worlds.size();
            int operations = schedule.versions().get(version).size();
            for (int index = 0; index < operations; index++) {
                state.model = PropertyReference.fold(state.model, step(collective, version, index));
            }
            state.worlds.add(collective.worldSize());
            collective.checkpoint(state.encode(schedule.state()));
            highestVersion = Math.max(highestVersion, state.worlds.size());
            require(collective.version() == state.worlds.size(), "version: " + collective.version());
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

    private State restore(Collective collective, long firstWorld) {
        State state = collective
                .loadCheckpoint()
                .map(content -> State.decode(content, schedule.state()))
                .orElseGet(() -> new State(firstWorld, schedule.seed(), List.of()));
        require(state.firstWorld == firstWorld, "first a world of " + state.firstWorld + ", then of " + firstWorld);
        require(state.worlds.size() == collective.version(), "restored " + state.worlds);
        require(state.model == reference.model(state.worlds), "restored another model after worlds " + state.worlds);
        require(
                collective.version() >= highestVersion,
                "back to version " + collective.version() + " after " + highestVersion);
        return state;
    }

    private long[] step(Collective collective, int version, int index) {
        Op op = schedule.versions().get(version).get(index);
        long[] input = reference.input(version, index, collective.rank());
        long[] expected = reference.result(version, index, collective.worldSize());
        long[] result = PropertyCall.run(collective, op, input);
        int difference = Arrays.mismatch(result, expected);
        require(
                difference < 0,
                op + ": element " + difference + " of version " + version + ", operation " + index + ", rank "
                        + collective.rank() + " of " + collective.worldSize());
        return result;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** What the program computes: a number that depends on all results so far, and the worlds that gave them. */
    private static final class State {
        private final long firstWorld;
        private long model;
        private final List<Integer> worlds;

        private State(long firstWorld, long model, List<Integer> worlds) {
            this.firstWorld = firstWorld;
            this.model = model;
            this.worlds = new ArrayList<>(worlds);
        }

        private byte[] encode(int filler) {
            ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES * (1 + worlds.size()) + filler);
            out.putLong(firstWorld).putLong(model).putInt(worlds.size());
            worlds.forEach(out::putInt);
            byte[] fill = new byte[filler];
            Arrays.fill(fill, (byte) worlds.size());
            out.put(fill);
            return out.array();
        }

        private static State decode(byte[] content, int filler) {
            ByteBuffer in = ByteBuffer.wrap(content);
            long firstWorld = in.getLong();
            long model = in.getLong();
            List<Integer> worlds = new ArrayList<>();
            for (int i = in.getInt(); i > 0; i--) {
                worlds.add(in.getInt());
            }
            require(in.remaining() == filler, "restored " + in.remaining() + " bytes of filler");
            while (in.hasRemaining()) {
                require(in.get() == (byte) worlds.size(), "filler at " + in.position());
            }
            return new State(firstWorld, model, worlds);
        }
    }
}
