/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.ChannelLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
    @TempDir
    Path base;

    @Test
    void create_thenLayout_makesPrivateDirectories() throws Exception {
        try (RunDirectory run = create("n1")) {
            ChannelLayout layout = run.layout(2, 1);
            run.writeKey(new byte[] {1, 2});

            assertThat(run.notices()).isEmpty();
            assertThat(run.path()).isEqualTo(base.resolve("elastic-run-" + RunDirectoryBase.userId() + "/inc/n1"));
            assertThat(layout.channelDirectory()).isEqualTo(run.path().resolve("workers/2.1"));
            for (Path made : List.of(run.path(), layout.events(), layout.up(), layout.temporary())) {
                assertThat(mode(made)).isEqualTo("rwx------");
            }
            assertThat(mode(layout.key())).isEqualTo("rw-------");
            assertThat(layout.key()).hasBinaryContent(new byte[] {1, 2});
        }
    }

    @Test
    void close_filledDirectory_leavesNothing() throws Exception {
        RunDirectory run = create("n1");
        Files.writeString(run.layout(0, 0).event(1), "{}");
        run.close();

        assertThat(base).isEmptyDirectory();
    }

    @Test
    void close_otherAgentOfTheSameRun_staysUntouched() throws Exception {
        try (RunDirectory other = create("n2")) {
            create("n1").close();

            assertThat(other.path().resolve("lock")).exists();
        }
    }

    @Test
    void discard_oldAttempt_removesOnlyThat() throws Exception {
        try (RunDirectory run = create("n1")) {
            ChannelLayout old = run.layout(0, 0);
            ChannelLayout current = run.layout(0, 1);
            run.discard(0, 0);

            assertThat(old.channelDirectory()).doesNotExist();
            assertThat(current.events()).exists();
        }
    }

    @Test
    void create_unlockedLeftover_removesItAndItsIncarnation() throws Exception {
        Path dead;
        try (RunDirectory first = create("n1")) {
            dead = first.path().resolveSibling("../old/dead").normalize();
            Files.createDirectories(dead.resolve("workers/0.0"));
            Files.createFile(dead.resolve("lock"));
            try (RunDirectory second = create("n2")) {
                assertThat(dead.getParent()).doesNotExist();
                assertThat(first.path()).exists();
                assertThat(second.path()).exists();
            }
        }
    }

    @Test
    void create_sameNodeTwice_isRefused() throws Exception {
        try (RunDirectory run = create("n1")) {
            assertThatThrownBy(() -> create("n1"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
            assertThat(run.path().resolve("lock")).exists();
        }
    }

    @Test
    @Timeout(60)
    void createAndClose_manyAtOnce_neverCollide() throws Exception {
        List<CompletableFuture<Void>> agents = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 8; i++) {
                String node = "n" + i;
                agents.add(CompletableFuture.runAsync(() -> createAndClose(node, 50), threads));
            }
            CompletableFuture.allOf(agents.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
        } finally {
            threads.shutdown();
        }
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void create_baseTooSmall_fallsBackAndReportsIt() throws Exception {
        Path missing = base.resolve("missing");
        try (RunDirectory run = RunDirectory.create(List.of(missing, base), 0, "inc", "n1")) {
            assertThat(run.path()).startsWith(base.resolve("elastic-run-" + RunDirectoryBase.userId()));
            assertThat(run.notices()).containsExactly("run directory not in " + missing + ": not a writable directory");
        }
        assertThatThrownBy(() -> RunDirectory.create(List.of(base), Long.MAX_VALUE, "inc", "n1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("MiB free (expected: at least");
    }

    @Test
    void leastSpace_manyWorkers_isRoomForTheirChannels() {
        assertThat(RunDirectory.leastSpace(1)).isEqualTo(64L << 20);
        assertThat(RunDirectory.leastSpace(100)).isEqualTo(300L << 20);
    }

    @Test
    void ballast_givenUp_comesBackWhenThereIsRoom() throws Exception {
        try (RunDirectory run = create("n1")) {
            Ballast ballast = run.fillBallast();
            Path file = run.path().resolve("ballast");
            assertThat(file).hasSize(1 << 20);

            assertThat(ballast.release()).isTrue();
            assertThat(ballast.release()).isFalse();
            assertThat(file).doesNotExist();
            assertThat(ballast.refill()).isTrue();
            assertThat(file).hasSize(1 << 20);
        }
    }

    @Test
    void create_userDirectoryOpenToOthers_isRefused() throws Exception {
        Path owned = Files.createDirectory(base.resolve("elastic-run-" + RunDirectoryBase.userId()));
        Files.setPosixFilePermissions(owned, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> create("n1")).isInstanceOf(IOException.class).hasMessageContaining("mode rwxrwxrwx");
    }

    @Test
    void create_nameThatLeavesTheDirectory_isRefused() {
        assertThatThrownBy(() -> create("../n1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> create("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void find_liveDeadAndUnready_listsTheLiveWithRunFile() throws Exception {
        try (RunDirectory ready = create("ready");
                RunDirectory unready = create("unready")) {
            ready.writeRunFile("{}".getBytes(StandardCharsets.UTF_8));
            Path dead = Files.createDirectory(unready.path().resolveSibling("dead"));
            Files.createFile(dead.resolve("lock"));
            Files.createFile(dead.resolve("run.json"));

            assertThat(RunDirectory.find(List.of(base), RunDirectoryBase.userId()))
                    .containsExactly(ready.path());
            assertThat(RunDirectory.find(List.of(base), RunDirectoryBase.userId()))
                    .containsExactly(ready.path());
        }
        assertThat(RunDirectory.find(List.of(base), RunDirectoryBase.userId())).isEmpty();
    }

    @Test
    void find_directoryThatOthersCouldHaveFilled_isNotLookedAt() throws Exception {
        int user = RunDirectoryBase.userId();
        try (RunDirectory run = create("planted")) {
            run.writeRunFile("{}".getBytes(StandardCharsets.UTF_8));
            Path owned = base.resolve("elastic-run-" + user);

            assertThat(RunDirectory.find(List.of(base), user)).hasSize(1);
            assertThat(RunDirectory.find(List.of(base), user + 1)).isEmpty();
            Files.setPosixFilePermissions(owned, PosixFilePermissions.fromString("rwxr-xrwx"));
            assertThat(RunDirectory.find(List.of(base), user)).isEmpty();

            Files.setPosixFilePermissions(owned, PosixFilePermissions.fromString("rwx------"));
            Path elsewhere = Files.createDirectory(base.resolve("elsewhere"));
            Files.createSymbolicLink(elsewhere.resolve("elastic-run-" + user), owned);
            assertThat(RunDirectory.find(List.of(elsewhere), user)).isEmpty();
            Files.delete(elsewhere.resolve("elastic-run-" + user));
            Files.delete(elsewhere);
        }
    }

    @Test
    @Timeout(10)
    void readKey_linkOrPipe_isRefused() throws Exception {
        try (RunDirectory run = create("n1")) {
            Path secret = Files.writeString(base.resolve("secret"), "another file of the user");
            Files.createSymbolicLink(run.path().resolve("key"), secret);
            assertThatThrownBy(() -> RunDirectory.readKey(run.path()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not a regular file");

            Files.delete(run.path().resolve("key"));
            makePipe(run.path().resolve("key"));
            assertThatThrownBy(() -> RunDirectory.readKey(run.path()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not a regular file");
            Files.delete(secret);
        }
    }

    private static void makePipe(Path file) throws Exception {
        Process made = new ProcessBuilder("mkfifo", file.toString()).inheritIO().start();
        assertThat(made.waitFor()).isZero();
    }

    private void createAndClose(String node, int times) {
        for (int i = 0; i < times; i++) {
            try (RunDirectory run = create(node)) {
                assertThat(run.layout(0, 0).events()).exists();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private RunDirectory create(String node) throws IOException {
        return RunDirectory.create(List.of(base), 0, "inc", node);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
