/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One direct buffer, grown as needed and kept. Used by the user thread only. */
final class Scratch {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

    ByteBuffer take(int count, ElementType type) {
        long bytes = (long) count * type.width();
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    "length: " + count + " (expected: at most " + (Integer.MAX_VALUE - 8) / type.width() + ")");
        }
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocateDirect((int) bytes);
        }
        return buffer.slice(0, (int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
