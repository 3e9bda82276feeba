/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory for one chunk, allocated when it is used first. Owned by one thread. */
public final class ChunkMemory {
    private @Nullable ByteBuffer buffer;

    /** All of it; the bytes of an earlier use are gone. */
    ByteBuffer clear() {
        ByteBuffer known = buffer;
        if (known == null) {
            known = ByteBuffer.allocate(IncomingBlob.CHUNK);
            buffer = known;
        }
        return known.clear();
    }
}
