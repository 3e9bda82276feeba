/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.nio.file.Path;

/** A store that agents of one run reach. Safe for use by any thread. */
public interface ServedStore extends AutoCloseable {
    /** HOST:PORT. */
    String endpoint();

    /** The file with the run's key, readable by this user only. */
    Path keyFile();

    @Override
    void close();
}
