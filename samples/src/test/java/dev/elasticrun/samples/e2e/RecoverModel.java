/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The model of {@link RecoverProgram}, and what one process computes it must be. Small whole numbers: floats are exact. */
final class RecoverModel {
    private static final int MASK = 255;

    private final List<Integer> worlds;
    private final float[] values;

    private RecoverModel(List<Integer> worlds, float[] values) {
        this.worlds = List.copyOf(worlds);
        this.values = values;
    }

    static RecoverModel first(int length) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = i * 31 & MASK;
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
            input[i] = input(own(i), i, rank);
        }
        return input;
    }

    void requireMax(float[] actual, int world) {
        for (int i = 0; i < actual.length; i++) {
            int own = own(i);
            int max = 0;
            for (int rank = 0; rank < world; rank++) {
                max = Math.max(max, input(own, i, rank));
            }
            require("max", i, actual[i], max);
        }
    }

    void requireSum(float[] actual, int world) {
        for (int i = 0; i < actual.length; i++) {
            require("sum", i, actual[i], sum(i, world));
        }
    }

    void requireGathered(float[] actual, int world) {
        RecoverProgram.require(actual.length == world * values.length, actual.length + " elements gathered");
        for (int i = 0; i < values.length; i++) {
            int own = own(i);
            for (int rank = 0; rank < world; rank++) {
                int at = rank * values.length + i;
                require("gathered", at, actual[at], own + rank & MASK);
            }
        }
    }

    /** All ranks' parts, of which this rank's is filled. */
    float[] parts(int rank, int world) {
        float[] parts = new float[world * values.length];
        fillPart(parts, rank);
        return parts;
    }

    /** Where the ranks' parts begin, and the last one ends. */
    int[] bounds(int world) {
        int[] bounds = new int[world + 1];
        for (int rank = 0; rank <= world; rank++) {
            bounds[rank] = rank * values.length;
        }
        return bounds;
    }

    /** Made of all parts, whose array it takes over, and of the sum. */
    RecoverModel next(float[] all, float[] sum, int world) {
        for (int rank = 0; rank < world; rank++) {
            int start = rank * values.length;
            for (int i = 0; i < values.length; i++) {
                all[start + i] = (int) (all[start + i] + sum[i]) & MASK;
            }
        }
        List<Integer> more = new ArrayList<>(worlds);
        more.add(world);
        return new RecoverModel(more, all);
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
            require("model", i, values[i], expected.values[i]);
        }
        return expected;
    }

    private RecoverModel expectedNext(int world) {
        float[] sum = new float[values.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = sum(i, world);
        }
        float[] all = new float[world * values.length];
        for (int rank = 0; rank < world; rank++) {
            fillPart(all, rank);
        }
        return next(all, sum, world);
    }

    private void fillPart(float[] parts, int rank) {
        int start = rank * values.length;
        for (int i = 0; i < values.length; i++) {
            parts[start + i] = own(i) + rank & MASK;
        }
    }

    private int sum(int i, int world) {
        int own = own(i);
        int sum = 0;
        for (int rank = 0; rank < world; rank++) {
            sum += input(own, i, rank);
        }
        return sum;
    }

    private int own(int i) {
        return (int) values[i] + worlds.size();
    }

    private static int input(int own, int i, int rank) {
        return i * (rank + 1) + own & MASK;
    }

    /** In a loop over millions of elements: no text is made of those that are right. */
    private static void require(String name, int i, float actual, float expected) {
        if (actual != expected) {
            throw new IllegalStateException(name + "[" + i + "] is " + actual + " instead of " + expected);
        }
    }
}
