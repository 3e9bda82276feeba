/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Bytes that no program sends: noise, and what becomes of bytes that one does send. */
public final class FuzzBytes {
    private static final int MAX_NOISE = 300;
    /** Limits of signed and unsigned numbers, and of frames: 16 KiB, 64 KiB, 16 MiB. */
    private static final int[] LIMITS = {
        0,
        1,
        -1,
        0x7f,
        0x80,
        0xff,
        0x3fff,
        0x4000,
        0x4001,
        0xffff,
        0x1_0000,
        0xff_ffff,
        0x100_0000,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE
    };

    private FuzzBytes() {}

    /** Up to some hundred random bytes. */
    public static byte[] noise(Random random) {
        return noise(random.nextInt(MAX_NOISE), random);
    }

    /** What a program sent: as it was, cut, stretched, repeated, flipped, or with a number at its limit in it. */
    public static FuzzSource mutationsOf(byte[] real) {
        return random -> mutated(real, random);
    }

    static byte[] mutated(byte[] real, Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> Arrays.copyOf(real, random.nextInt(real.length));
            case 1 -> joined(real, noise(1 + random.nextInt(MAX_NOISE), random));
            case 2 -> joined(real, real);
            case 3 -> joined(Arrays.copyOf(real, random.nextInt(real.length)), noise(random));
            case 4 -> limited(real.clone(), random);
            case 5 -> flipped(real.clone(), random);
            default -> real;
        };
    }

    /** A number that lengths, counts and ports stumble over. */
    public static int limit(Random random) {
        return random.nextInt(4) == 0 ? random.nextInt() : LIMITS[random.nextInt(LIMITS.length)];
    }

    public static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] noise(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] limited(byte[] bytes, Random random) {
        if (bytes.length < Integer.BYTES) {
            return bytes;
        }
        ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        ByteBuffer.wrap(bytes).order(order).putInt(random.nextInt(bytes.length - 3), limit(random));
        return bytes;
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return bytes;
    }
}
