/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionNicenessTest {
    private static final int WORKER = 17;

    @TempDir
    private Path proc;

    private SessionNiceness sessions;

    @BeforeEach
    void create() {
        sessions = new SessionNiceness(proc);
    }

    private Path write(String process, String text) throws IOException {
        Path file = Files.createDirectories(proc.resolve(process)).resolve("autogroup");
        return Files.writeString(file, text);
    }

    @Test
    void raise_givesTheNicenessOfTheOwnSession() throws Exception {
        write("self", "/autogroup-3 nice 5\n");
        Path worker = write(Integer.toString(WORKER), "/autogroup-4 nice 10\n");

        sessions.raise(WORKER);

        assertThat(worker).hasContent("5");
    }

    @Test
    void raise_ownProcessInNoGroup_givesTheOrdinaryOne() throws Exception {
        write("self", "");
        Path worker = write(Integer.toString(WORKER), "/autogroup-4 nice 10\n");

        sessions.raise(WORKER);

        assertThat(worker).hasContent("0");
    }

    @Test
    void raise_noneInAGroup_writesNothing() throws Exception {
        write("self", "");
        Path worker = write(Integer.toString(WORKER), "");

        sessions.raise(WORKER);

        assertThat(worker).isEmptyFile();
    }

    @Test
    void raise_processGone_isNoError() throws Exception {
        write("self", "/autogroup-3 nice 0\n");

        assertThatCode(() -> sessions.raise(WORKER)).doesNotThrowAnyException();
    }

    @Test
    void lowering_kernelWithoutSessionNiceness_isEmpty() {
        assertThat(sessions.lowering("/bin/sh", 10)).isEmpty();
    }
}
