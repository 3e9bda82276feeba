/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The model of {@link RecoverProgram}, and what one process says it must be. Small whole numbers: floats are exact. */
final class RecoverModel {
    private static final int MODULUS = 251;

    private final List<Integer> worlds;
    private final float[] values;

    private RecoverModel(List<Integer> worlds, float[] values) {
        this.worlds = List.copyOf(worlds);
        this.values = values;
    }

    static RecoverModel first(int length) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (i * 31) % MODULUS;
        }
        return new RecoverModel(List.of(), values);
    }

    int version() {
        return worlds.size();
    }

    /** How many workers there were in each iteration. */
    List<Integer> worlds() {
        return worlds;
    }

    int length() {
        return values.length;
    }

    /** What a rank puts into the maximum and the sum. */
    float[] input(int rank) {
        float[] input = new float[values.length];
        for (int i = 0; i < input.length; i++) {
            input[i] = input(i, rank);
        }
        return input;
    }

    float max(int i, int world) {
        int max = 0;
        for (int rank = 0; rank < world; rank++) {
            max = Math.max(max, input(i, rank));
        }
        return max;
    }

    float sum(int i, int world) {
        int sum = 0;
        for (int rank = 0; rank < world; rank++) {
            sum += input(i, rank);
        }
        return sum;
    }

    /** What a rank gives to all. */
    float[] part(int rank) {
        float[] part = new float[values.length];
        for (int i = 0; i < part.length; i++) {
            part[i] = gathered(rank * part.length + i);
        }
        return part;
    }

    float gathered(int i) {
        int rank = i / values.length;
        return ((int) values[i % values.length] + rank + version()) % MODULUS;
    }

    RecoverModel next(float[] all, float[] sum, int world) {
        float[] next = new float[all.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = (int) (all[i] + sum[i % sum.length]) % MODULUS;
        }
        List<Integer> more = new ArrayList<>(worlds);
        more.add(world);
        return new RecoverModel(more, next);
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate((1 + worlds.size()) * Integer.BYTES + values.length * Float.BYTES);
        out.putInt(worlds.size());
        worlds.forEach(out::putInt);
        out.asFloatBuffer().put(values);
        return out.array();
    }

    /** Compares each element with what one process gets from the first model in the same worlds. */
    static RecoverModel decode(byte[] content, RecoverModel first) {
        ByteBuffer in = ByteBuffer.wrap(content);
        RecoverModel expected = first;
        for (int left = in.getInt(); left > 0; left--) {
            expected = expected.expectedNext(in.getInt());
        }
        RecoverProgram.require(in.remaining() == expected.length() * Float.BYTES, in.remaining() + " bytes restored");
        float[] values = new float[expected.length()];
        in.asFloatBuffer().get(values);
        for (int i = 0; i < values.length; i++) {
            RecoverProgram.require(values[i] == expected.values[i], "model[" + i + "] is " + values[i]);
        }
        return expected;
    }

    private RecoverModel expectedNext(int world) {
        float[] sum = new float[values.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = sum(i, world);
        }
        float[] all = new float[values.length * world];
        for (int i = 0; i < all.length; i++) {
            all[i] = gathered(i);
        }
        return next(all, sum, world);
    }

    private int input(int i, int rank) {
        return (i * (rank + 1) + (int) values[i] + version()) % 127;
    }
}
