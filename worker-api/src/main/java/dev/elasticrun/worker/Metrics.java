/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.MetricWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The values that the program publishes. The file is there from the first one on. Any thread may call. */
final class Metrics {
    private final Path file;
    private volatile @Nullable MetricWriter writer;
    private boolean isBroken;

    Metrics(Path file) {
        this.file = file;
    }

    void put(String name, double value) {
        MetricWriter open = writer;
        if (open == null) {
            open = open();
        }
        if (open != null) {
            open.put(name, value);
        }
    }

    private synchronized @Nullable MetricWriter open() {
        if (writer == null && !isBroken) {
            try {
                writer = MetricWriter.create(file);
            } catch (IOException e) {
                isBroken = true;
                System.getLogger(Metrics.class.getName())
                        .log(Level.WARNING, "cannot make " + file + ", metrics will not be shown: " + e);
            }
        }
        return writer;
    }
}
