/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class LogDirectoriesTest {
    @TempDir
    private Path base;

    private Path logs;

    @BeforeEach
    void directory() throws IOException {
        logs = Files.createDirectory(base.resolve("logs"));
    }

    @Test
    void default_absent_isMadeForTheUserOnly() throws Exception {
        Path absent = base.resolve("absent");

        assertThat(LogDirectories.expectation(absent, true)).isEmpty();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(absent)))
                .isEqualTo("rwx------");
    }

    /** As an agent does that ends and was the last one. */
    @Test
    @Timeout(60)
    void default_removedBySomebodyElseMeanwhile_isMadeAgain() throws Exception {
        Path contended = base.resolve("contended");
        AtomicBoolean over = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!over.get()) {
                try {
                    Files.deleteIfExists(contended);
                } catch (IOException e) {
                    return;
                }
                LockSupport.parkNanos(2_000_000);
            }
        });
        other.start();
        try {
            for (int i = 0; i < 1000; i++) {
                assertThat(LogDirectories.expectation(contended, true)).isEmpty();
            }
        } finally {
            over.set(true);
            other.join();
        }
    }

    @Test
    void default_othersCanWriteIt_isRefusedWithOwnerAndMode() throws Exception {
        mode("rwxrwxrwx");

        assertThat(LogDirectories.expectation(logs, true)).hasValueSatisfying(expected -> assertThat(expected)
                .contains("--log-dir", "belongs to user", "with mode rwxrwxrwx"));
    }

    @Test
    void default_isALink_isRefused() throws Exception {
        Path link = Files.createSymbolicLink(base.resolve("link"), logs);

        assertThat(LogDirectories.expectation(link, true))
                .hasValueSatisfying(expected -> assertThat(expected).contains("is a link"));
    }

    @Test
    void given_everyUserCanRenameIn_isRefusedUnlessSticky() throws Exception {
        Files.setAttribute(logs, "unix:mode", 0777);
        boolean isRoot = (Integer) Files.getAttribute(logs, "unix:uid") == 0;
        if (isRoot) {
            // What root made is a volume: it cannot be distinguished from one that only this container has.
            assertThat(LogDirectories.warning(logs)).isPresent();
            Files.setAttribute(logs, "unix:uid", 65534);
        }
        assertThat(LogDirectories.expectation(logs, false))
                .hasValueSatisfying(expected -> assertThat(expected).contains("chmod +t"));

        Files.setAttribute(logs, "unix:mode", 01777);

        assertThat(LogDirectories.expectation(logs, false)).isEmpty();
        assertThat(LogDirectories.warning(logs)).isEmpty();
    }

    @Test
    void given_groupCanWriteIt_isUsedWithAWarning() throws Exception {
        mode("rwxrwxr-x");

        assertThat(LogDirectories.expectation(logs, false)).isEmpty();
        assertThat(LogDirectories.warning(logs))
                .hasValueSatisfying(warning -> assertThat(warning).contains("chmod +t", logs.toString()));
    }

    @Test
    void make_planted_isRefused() throws Exception {
        NodeFiles files = new NodeFiles(logs, "run", "node");
        LogDirectories.make(files);
        LogDirectories.make(files);
        assertThat(files.directory()).isDirectory();

        Path planted = Files.createSymbolicLink(logs.resolve("planted"), files.run());

        assertThatThrownBy(() -> LogDirectories.make(
                        new NodeFiles(logs, planted.getFileName().toString(), "node")))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("is a link");
    }

    @Test
    void make_runsDirectoryOfTheUserAndItsGroup_isUsed() throws Exception {
        NodeFiles files = new NodeFiles(logs, "run", "node");
        Files.createDirectory(files.run());
        Files.setPosixFilePermissions(files.run(), PosixFilePermissions.fromString("rwxrwxr-x"));

        LogDirectories.make(files);
        assertThat(files.directory()).isDirectory();

        Files.setPosixFilePermissions(files.run(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> LogDirectories.make(files)).isInstanceOf(AccessDeniedException.class);
    }

    private void mode(String permissions) throws IOException {
        Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString(permissions));
    }
}
