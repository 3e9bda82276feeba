/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.bootstrap;

import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.net.Digest;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a bootstrap operation gave.
 *
 * @param name the program's key, or where it was called, on what, and which time
 * @param site where it was called first, for messages; not compared
 * @param world the world that it was computed in; compared only for scope MEMBERSHIP
 * @param operation what was done; of its time nothing counts
 * @param content little endian
 */
public record BootstrapResult(
        String name, String site, BootstrapScope scope, long world, Operation operation, byte[] content) {
    private static final int MAX_TEXT = 16 * 1024;

    public long key() {
        return keyOf(name);
    }

    public static long keyOf(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Digest.of(text, text.length);
    }

    /** Digest of all that must be equal on all ranks. */
    long contentDigest() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length + Operation.BYTES + Long.BYTES);
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            writeCompared(out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return Digest.of(bytes.toByteArray(), bytes.size());
    }

    public void write(DataOutputStream out) throws IOException {
        writeText(out, name);
        writeText(out, site);
        out.writeLong(world);
        writeCompared(out);
    }

    public static BootstrapResult read(DataInputStream in) throws IOException {
        String name = readText(in);
        String site = readText(in);
        long world = in.readLong();
        BootstrapScope scope = in.readBoolean() ? BootstrapScope.MEMBERSHIP : BootstrapScope.JOB;
        byte[] statement = in.readNBytes(Operation.BYTES);
        int length = in.readInt();
        if (length < 0) {
            throw new IOException("bootstrap result of " + length + " bytes");
        }
        byte[] content = in.readNBytes(length);
        Operation operation = Operation.read(ByteBuffer.wrap(statement));
        return new BootstrapResult(name, site, scope, world, operation, content);
    }

    private void writeCompared(DataOutputStream out) throws IOException {
        out.writeBoolean(scope == BootstrapScope.MEMBERSHIP);
        ByteBuffer statement = ByteBuffer.allocate(Operation.BYTES);
        operation.copy().at(0, 0).named(0, null).write(statement);
        out.write(statement.array());
        out.writeInt(content.length);
        out.write(content);
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_TEXT) {
            throw new IOException("a text of " + length + " bytes");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
