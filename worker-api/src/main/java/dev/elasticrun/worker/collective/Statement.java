/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank says of itself when a round starts. All ranks see all statements and conclude the same from them.
 *
 * @param startedRound newest round whose start this process completed; 0 = none, it is new
 * @param copies checkpoints that it holds
 */
record Statement(long startedRound, List<Copy> copies) {
    private static final int COPY_BYTES = 3 * Long.BYTES + Integer.BYTES + 1;

    /**
     * One checkpoint that a rank holds.
     *
     * @param length bytes of its content
     * @param isStaged stored, but not known to be committed anywhere
     */
    record Copy(CheckpointId id, int length, boolean isStaged) {}

    Statement {
        copies = List.copyOf(copies);
    }

    boolean holds(CheckpointId id) {
        return copies.stream().anyMatch(copy -> copy.id().equals(id));
    }

    /** The incarnation is not written: the handshake has already compared it. */
    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + copies.size() * COPY_BYTES);
        out.putLong(startedRound).putInt(copies.size());
        for (Copy copy : copies) {
            out.putLong(copy.id().world()).putLong(copy.id().version());
            out.putLong(copy.id().digest()).putInt(copy.length()).put((byte) (copy.isStaged() ? 1 : 0));
        }
        return out.flip();
    }

    static Statement decode(ByteBuffer frame, String incarnation) {
        ByteBuffer in = frame.slice();
        long startedRound = in.getLong();
        int count = in.getInt();
        if (count < 0 || count * COPY_BYTES != in.remaining()) {
            throw new IllegalArgumentException("copies: " + count + " in " + in.remaining() + " bytes");
        }
        List<Copy> copies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CheckpointId id = new CheckpointId(incarnation, in.getLong(), in.getLong(), in.getLong());
            copies.add(new Copy(id, in.getInt(), in.get() == 1));
        }
        return new Statement(startedRound, copies);
    }
}
