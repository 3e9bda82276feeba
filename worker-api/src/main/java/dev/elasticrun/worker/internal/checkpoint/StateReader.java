/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/** Reads a program's state. */
@FunctionalInterface
public interface StateReader {
    void read(ReadableByteChannel from) throws IOException;
}
