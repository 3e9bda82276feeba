/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The notice that ranks send each other when they have run apart.
 *
 * @param rank one of the two that differ; -1 = not known
 * @param other the other one
 * @param what the difference, as text
 * @param sender rank that sent the notice; -1 = this one
 * @param site where the sender's program is; empty = not known yet
 */
public record MismatchNotice(int rank, int other, String what, int sender, String site) {
    private static final int MAX_TEXT = 2000;
    private static final int HEADER = 3 * Integer.BYTES;

    /** A difference between this rank and others, seen here. */
    public static MismatchNotice of(String what) {
        return new MismatchNotice(-1, -1, what, -1, "");
    }

    public static MismatchNotice of(int rank, int other, String what) {
        return new MismatchNotice(rank, other, what, -1, "");
    }

    public MismatchNotice from(String newSite) {
        return new MismatchNotice(rank, other, what, -1, newSite);
    }

    ByteBuffer encode() {
        byte[] first = text(what);
        byte[] second = text(site);
        ByteBuffer out =
                ByteBuffer.allocate(HEADER + first.length + second.length).order(ByteOrder.LITTLE_ENDIAN);
        return out.putInt(rank)
                .putInt(other)
                .putInt(first.length)
                .put(first)
                .put(second)
                .flip();
    }

    /** Accepts any bytes: a damaged notice still reports that ranks differ. */
    static MismatchNotice decode(int sender, ByteBuffer in) {
        if (in.remaining() < HEADER) {
            return new MismatchNotice(-1, -1, "rank " + sender + " reports that ranks differ", sender, "");
        }
        int rank = in.getInt();
        int other = in.getInt();
        int length = Math.min(Math.max(in.getInt(), 0), in.remaining());
        byte[] first = new byte[length];
        in.get(first);
        byte[] second = new byte[in.remaining()];
        in.get(second);
        return new MismatchNotice(
                rank,
                other,
                new String(first, StandardCharsets.UTF_8),
                sender,
                new String(second, StandardCharsets.UTF_8));
    }

    private static byte[] text(String value) {
        String shortened = value.length() > MAX_TEXT ? value.substring(0, MAX_TEXT) : value;
        return shortened.getBytes(StandardCharsets.UTF_8);
    }
}
