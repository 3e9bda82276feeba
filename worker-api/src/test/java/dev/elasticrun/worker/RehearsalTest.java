/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.internal.engine.TestTls;
import dev.elasticrun.worker.internal.net.Credentials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class RehearsalTest {
    private static final Logger LOGGER = Logger.getLogger(Rehearsal.class.getName());

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void start_playsToTheLossOfAPeer_andLeavesNothing(boolean isEncrypted) throws Exception {
        Credentials credentials =
                new Credentials(new byte[32], isEncrypted ? Optional.of(TestTls.context("run")) : Optional.empty());
        List<String> stated = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord record) {
                stated.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.setLevel(Level.ALL);
        LOGGER.addHandler(handler);
        try {
            Thread last = Rehearsal.start(new RehearsedWorld(credentials, "incarnation"), directory);
            last.join();
            assertThat(stated).containsExactly("rehearsed");
            assertThat(directory).isEmptyDirectory();
        } finally {
            LOGGER.removeHandler(handler);
            LOGGER.setLevel(null);
        }
    }
}
