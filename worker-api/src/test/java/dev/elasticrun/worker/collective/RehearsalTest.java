/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RehearsalTest {
    private static final Logger LOGGER = Logger.getLogger(Rehearsal.class.getName());

    @TempDir
    private Path directory;

    @Test
    void start_playsToTheLossOfAPeer_andLeavesNothing() throws Exception {
        List<String> said = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord record) {
                said.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.setLevel(Level.ALL);
        LOGGER.addHandler(handler);
        try {
            Thread last = Rehearsal.start(Credentials.of(new byte[32]), "incarnation", directory);
            last.join();
            assertThat(said).containsExactly("rehearsed");
            assertThat(directory).isEmptyDirectory();
        } finally {
            LOGGER.removeHandler(handler);
            LOGGER.setLevel(null);
        }
    }
}
