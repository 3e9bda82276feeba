/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.bootstrap;

import dev.elasticrun.worker.internal.engine.PeerState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a rank's {@link PeerState} that lists the results of bootstrap operations it has.
 *
 * @param entries by ascending key
 */
public record BootstrapIndex(List<Entry> entries) {
    public static final BootstrapIndex NONE = new BootstrapIndex(List.of());
    private static final int ENTRY_BYTES = 2 * Long.BYTES;

    /**
     * One result.
     *
     * @param key digest of the operation's name
     * @param content digest of its shape and result
     */
    public record Entry(long key, long content) {}

    public BootstrapIndex {
        entries = List.copyOf(entries);
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeInt(entries.size());
        for (Entry entry : entries) {
            out.writeLong(entry.key());
            out.writeLong(entry.content());
        }
    }

    public static BootstrapIndex read(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available() / ENTRY_BYTES) {
            throw new IOException("bootstrap results: " + count + " in " + in.available() + " bytes");
        }
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(in.readLong(), in.readLong()));
        }
        return new BootstrapIndex(entries);
    }
}
