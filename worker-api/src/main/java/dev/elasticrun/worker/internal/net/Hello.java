/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Names the caller, the called rank and the round: the first bytes on a connection between workers.
 *
 * @param isProbe only checks whether the process lives; the connection is never used for a round
 * @param from rank of the caller in that round
 * @param to rank that the caller expects to reach
 * @param port where the caller expects it
 */
public record Hello(boolean isProbe, String incarnation, long round, int from, int to, int port) {
    private static final int MAGIC = 0x454c5233;
    /** No record of TLS begins so (RFC 8446, 5.1). */
    static final byte FIRST_BYTE = (byte) (MAGIC >>> 24);

    private static final int MAX_INCARNATION = 1024;
    private static final int JOIN = 1;
    private static final int PROBE = 2;

    public void write(DataOutputStream out) throws IOException {
        byte[] name = incarnation.getBytes(StandardCharsets.UTF_8);
        out.writeInt(MAGIC);
        out.writeByte(isProbe ? PROBE : JOIN);
        out.writeShort(name.length);
        out.write(name);
        out.writeLong(round);
        out.writeInt(from);
        out.writeInt(to);
        out.writeShort(port);
    }

    public static Hello read(DataInputStream in) throws IOException {
        int magic = in.readInt();
        if (magic != MAGIC) {
            throw new IOException(
                    magic >>> Byte.SIZE == MAGIC >>> Byte.SIZE
                            ? "a worker of protocol " + (char) (magic & 0xff) + " (expected: " + (char) (MAGIC & 0xff)
                                    + ")"
                            : "not a worker of this protocol");
        }
        int kind = in.readUnsignedByte();
        int length = in.readUnsignedShort();
        if ((kind != JOIN && kind != PROBE) || length > MAX_INCARNATION) {
            throw new IOException("hello of kind " + kind + " with a name of " + length + " bytes");
        }
        byte[] name = in.readNBytes(length);
        return new Hello(
                kind == PROBE,
                new String(name, StandardCharsets.UTF_8),
                in.readLong(),
                in.readInt(),
                in.readInt(),
                in.readUnsignedShort());
    }
}
