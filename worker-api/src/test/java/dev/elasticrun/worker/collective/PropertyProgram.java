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
        State state = restore(collective);
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

    private State restore(Collective collective) {
        State state = collective
                .loadCheckpoint()
                .map(content -> State.decode(content, schedule.state()))
                .orElseGet(() -> new State(schedule.seed(), List.of()));
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
        private long model;
        private final List<Integer> worlds;

        private State(long model, List<Integer> worlds) {
            this.model = model;
            this.worlds = new ArrayList<>(worlds);
        }

        private byte[] encode(int filler) {
            ByteBuffer out = ByteBuffer.allocate(Long.BYTES + Integer.BYTES * (1 + worlds.size()) + filler);
            out.putLong(model).putInt(worlds.size());
            worlds.forEach(out::putInt);
            byte[] fill = new byte[filler];
            Arrays.fill(fill, (byte) worlds.size());
            out.put(fill);
            return out.array();
        }

        private static State decode(byte[] content, int filler) {
            ByteBuffer in = ByteBuffer.wrap(content);
            long model = in.getLong();
            List<Integer> worlds = new ArrayList<>();
            for (int i = in.getInt(); i > 0; i--) {
                worlds.add(in.getInt());
            }
            require(in.remaining() == filler, "restored " + in.remaining() + " bytes of filler");
            while (in.hasRemaining()) {
                require(in.get() == (byte) worlds.size(), "filler at " + in.position());
            }
            return new State(model, worlds);
        }
    }
}
