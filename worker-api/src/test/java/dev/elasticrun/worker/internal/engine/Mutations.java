/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import java.util.Arrays;
import java.util.Random;

/** Makes bytes that a program would not send from bytes that it sends. */
public final class Mutations {
    private Mutations() {}

    /** Cut, stretched, flipped, repeated, with an absurd number in it, or nothing but noise. */
    public static byte[] mutate(byte[] real, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(real, random.nextInt(real.length));
            case 1 -> noise(random.nextInt(300), random);
            case 2 -> joined(real, noise(1 + random.nextInt(100), random));
            case 3 -> joined(real, real);
            case 4 -> absurd(real.clone(), random);
            default -> flipped(real.clone(), random);
        };
    }

    static byte[] noise(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    private static byte[] absurd(byte[] bytes, Random random) {
        int number =
                switch (random.nextInt(4)) {
                    case 0 -> Integer.MAX_VALUE;
                    case 1 -> Integer.MIN_VALUE;
                    case 2 -> -1;
                    default -> random.nextInt();
                };
        int at = random.nextInt(Math.max(1, bytes.length - 3));
        for (int i = 0; i < Integer.BYTES && at + i < bytes.length; i++) {
            bytes[at + i] = (byte) (number >>> (8 * i));
        }
        return bytes;
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }
}
