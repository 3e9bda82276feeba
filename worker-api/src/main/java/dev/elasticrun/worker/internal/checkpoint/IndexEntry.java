/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.ContentName;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Refers to a content that has a file of its own, in the file of a worker's local states. There it is a part: the name of the
 * file, and what the content is.
 */
sealed interface IndexEntry {
    /** The owner of a part that is an entry. */
    int OWNER = -4;

    ContentName name();

    /** A local state. */
    record State(ContentName name, CheckpointInventory.Local local) implements IndexEntry {
        StatePart open(ContentFiles files, CheckpointId id) throws IOException {
            FileBlob content = LocalFile.open(files, name, id, local.length(), local.digest());
            return new StatePart(local.owner(), local.keeper(), local.isOwn(), local.digest(), content);
        }
    }

    /** A block of parity. */
    record Block(ContentName name, CheckpointInventory.ParityBlock block, long digest) implements IndexEntry {
        ParityPart open(ContentFiles files, CheckpointId id) throws IOException {
            long length = block.set().blockLength(block.seat());
            FileBlob content = LocalFile.open(files, name, id, length, digest);
            return new ParityPart(block.set(), block.seat(), content, digest);
        }
    }

    static IndexEntry of(StatePart part) {
        return new State(
                name(part.content()),
                new CheckpointInventory.Local(
                        part.owner(),
                        part.keeper(),
                        part.isOwn(),
                        part.content().length(),
                        part.digest()));
    }

    static IndexEntry of(ParityPart part) {
        return new Block(name(part.content()), part.describe(), part.digest());
    }

    private static ContentName name(Content content) {
        if (content instanceof FileBlob file) {
            String name = String.valueOf(file.path().getFileName());
            return ContentName.parse(name)
                    .orElseThrow(() -> new IllegalStateException("no file of its own: " + file.path()));
        }
        throw new IllegalStateException("no file of its own: " + content.length() + " bytes in the heap");
    }

    default StatePart toPart() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(name().toString());
            out.writeBoolean(this instanceof Block);
            if (this instanceof State state) {
                state.local().write(out);
            } else if (this instanceof Block block) {
                block.block().write(out);
                out.writeLong(block.digest());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        byte[] entry = bytes.toByteArray();
        return new StatePart(OWNER, -1, false, 0, new PooledBlob(new ContentPool(0), entry, entry.length));
    }

    /** @throws IOException that names what is not as {@link #toPart} writes it */
    static IndexEntry read(StatePart part, int worldSize) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(part.content().toBytes()))) {
            String text = in.readUTF();
            ContentName name = ContentName.parse(text).orElseThrow(() -> new IOException("a content named " + text));
            return in.readBoolean()
                    ? new Block(name, CheckpointInventory.ParityBlock.read(in, worldSize), in.readLong())
                    : new State(name, CheckpointInventory.Local.read(in, worldSize));
        }
    }
}
