/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParitySet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The block of a seat of a parity set, with its bytes. In a file it takes two parts: the description of the set, then the
 * block; one that is outside of the heap is an {@link IndexEntry} there.
 *
 * @param digest of the content, if that is outside of the heap; else 0, as the checksum of the file is about it
 */
public record ParityPart(ParitySet set, int seat, Content content, long digest) {
    /** The owner of a part that describes a set. */
    static final int SET = -2;

    /** The owner of a part with a block. */
    static final int BLOCK = -3;

    public CheckpointInventory.ParityBlock describe() {
        return new CheckpointInventory.ParityBlock(set, seat);
    }

    /** Of a block in the heap. The contents are the caller's. */
    List<StatePart> toParts() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            describe().write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] description = bytes.toByteArray();
        Content described = new PooledBlob(new ContentPool(0), description, description.length);
        return List.of(
                new StatePart(SET, -1, false, 0, described), new StatePart(BLOCK, -1, false, 0, content.retain()));
    }

    /**
     * The blocks among the parts of a file; their contents are the caller's, and stay those of the parts.
     *
     * @throws IOException if they do not fit each other
     */
    static List<ParityPart> of(List<StatePart> parts, int worldSize) throws IOException {
        List<ParityPart> found = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).owner() != SET) {
                continue;
            }
            byte[] description = parts.get(i).content().toBytes();
            CheckpointInventory.ParityBlock block;
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(description))) {
                block = CheckpointInventory.ParityBlock.read(in, worldSize);
            }
            int next = i + 1;
            if (next == parts.size()
                    || parts.get(next).owner() != BLOCK
                    || parts.get(next).content().length() != block.set().blockLength(block.seat())) {
                throw new IOException("no block of seat " + block.seat() + " behind its parity set");
            }
            found.add(new ParityPart(block.set(), block.seat(), parts.get(next).content(), 0));
        }
        return found;
    }
}
