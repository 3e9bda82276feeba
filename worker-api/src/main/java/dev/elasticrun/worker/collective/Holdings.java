/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a rank's {@link Statement} that tells of checkpoints.
 *
 * @param startedRound newest round whose start this process completed; 0 = none, it is new
 * @param copies checkpoints that it holds
 */
record Holdings(long startedRound, List<Copy> copies) {
    private static final int COPY_BYTES = 3 * Long.BYTES + Integer.BYTES + 1;

    /**
     * One checkpoint that a rank holds.
     *
     * @param length bytes of its content
     * @param isStaged stored, but not known to be committed anywhere
     */
    record Copy(CheckpointId id, int length, boolean isStaged) {}

    Holdings {
        copies = List.copyOf(copies);
    }

    boolean holds(CheckpointId id) {
        return copies.stream().anyMatch(copy -> copy.id().equals(id));
    }

    /** The incarnation is not written: the handshake has already compared it. */
    void write(DataOutputStream out) throws IOException {
        out.writeLong(startedRound);
        out.writeInt(copies.size());
        for (Copy copy : copies) {
            out.writeLong(copy.id().world());
            out.writeLong(copy.id().version());
            out.writeLong(copy.id().digest());
            out.writeInt(copy.length());
            out.writeBoolean(copy.isStaged());
        }
    }

    static Holdings read(DataInputStream in, String incarnation) throws IOException {
        long startedRound = in.readLong();
        int count = in.readInt();
        if (count < 0 || count > in.available() / COPY_BYTES) {
            throw new IOException("copies: " + count + " in " + in.available() + " bytes");
        }
        List<Copy> copies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CheckpointId id = new CheckpointId(incarnation, in.readLong(), in.readLong(), in.readLong());
            copies.add(new Copy(id, in.readInt(), in.readBoolean()));
        }
        return new Holdings(startedRound, copies);
    }
}
