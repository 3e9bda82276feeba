/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** Writes a program's state. */
@FunctionalInterface
public interface StateWriter {
    void write(WritableByteChannel to) throws IOException;
}
