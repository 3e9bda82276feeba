/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerTemporariesTest {
    @TempDir
    private Path directory;

    @Test
    void make_anotherBase_isPrivateAndGoesWithItsAgent() throws IOException {
        Path memory = Files.createDirectory(directory.resolve("memory"));
        Path disk = Files.createDirectory(directory.resolve("disk"));
        try (RunDirectory run = RunDirectory.create(List.of(memory), 0, "i", "n");
                WorkerTemporaries temporaries = WorkerTemporaries.create(List.of(disk), run, "i", "n")) {
            Path made = temporaries.make(1, 2);
            Files.createDirectories(made.resolve("a/b"));

            assertThat(made).isEqualTo(disk.resolve("elastic-run-" + RunDirectory.uid() + "/i/n/tmp-1.2"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            assertThat(temporaries.outsideTheRunDirectory())
                    .containsExactly(made.resolve("..").normalize());
        }
        assertThat(disk).isEmptyDirectory();
        assertThat(memory).isEmptyDirectory();
    }

    @Test
    void make_runDirectoryIsOnDiskAlready_liesWithin() throws IOException {
        try (RunDirectory run = RunDirectory.create(List.of(directory), 0, "i", "n");
                WorkerTemporaries temporaries = WorkerTemporaries.create(List.of(directory), run, "i", "n")) {
            assertThat(temporaries.make(0, 0)).isEqualTo(run.path().resolve("tmp-0.0"));
            assertThat(temporaries.outsideTheRunDirectory()).isEmpty();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void create_noPlaceOutside_liesWithinAndReportsIt() throws IOException {
        Path nowhere = directory.resolve("nowhere");
        try (RunDirectory run = RunDirectory.create(List.of(directory), 0, "i", "n");
                WorkerTemporaries temporaries = WorkerTemporaries.create(List.of(nowhere), run, "i", "n")) {
            assertThat(temporaries.make(0, 0)).hasParent(run.path());
            assertThat(temporaries.notices()).singleElement().satisfies(notice -> assertThat(notice)
                    .contains(nowhere.toString()));
        }
    }

    @Test
    void discard_workerIsGone_removesItsFiles() throws IOException {
        try (RunDirectory run = RunDirectory.create(List.of(directory), 0, "i", "n");
                WorkerTemporaries temporaries = WorkerTemporaries.create(List.of(directory), run, "i", "n")) {
            Path gone = temporaries.make(0, 0);
            Path kept = temporaries.make(0, 1);
            Files.createDirectories(gone.resolve("a/b"));

            temporaries.discard(0, 0);

            await().until(() -> !Files.exists(gone));
            assertThat(kept).exists();
        }
    }
}
