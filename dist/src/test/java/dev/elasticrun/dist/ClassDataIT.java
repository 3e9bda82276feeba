/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The archive of class data that an installation makes and uses. */
@Timeout(180)
final class ClassDataIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Path PLACE = Path.of("elastic-run/launcher");
    private static final int STARTS = 4;
    private static final String USES = "-XX:SharedArchiveFile=";
    private static final String DUMPS = "-Xshare:dump";

    private static Path directory;
    private static Path own;
    private static Path made;
    private static Installation installation;
    private static RecordedJava java;

    private Path cache;
    private Path archive;

    /** Several at once find none, and one of them has it made. */
    @BeforeAll
    static void unpackAndStartSeveralAtOnce() throws IOException, InterruptedException {
        directory = Product.directory("class-data-");
        own = UserProcess.directory(directory, "own");
        made = own.resolve("made");
        installation = Product.unpack(Product.archive(), directory.resolve("product"));
        java = RecordedJava.make(directory.resolve("java"), own.resolve("starts.txt"));
        List<UserProcess> starts = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            starts.add(start(made));
        }
        for (UserProcess each : starts) {
            assertThat(each.exitCode()).as(each.err()).isEqualTo(2);
        }
        awaitArchive(made);
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @BeforeEach
    void copyTheCache(TestInfo test) throws IOException, InterruptedException {
        cache = own.resolve(test.getTestMethod().orElseThrow().getName());
        Product.run("cp", "-a", made.toString(), cache.toString());
        archive = archives(cache).get(0);
        java.clear();
    }

    @Test
    void severalStartsAtOnce_makeOne_whichOnlyItsUserCanRead() throws IOException {
        assertThat(archives(made)).hasSize(1);
        assertThat(Files.getPosixFilePermissions(cache.resolve(PLACE)))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Product.files(made)).noneMatch(name -> name.endsWith(".new"));
    }

    /** Whatever Java has built the installation. */
    @Test
    void listOfClasses_hasOnlyLinesThatEveryJavaReads() throws IOException {
        assertThat(Files.readAllLines(installation.home().resolve("lib/elastic-run.classes"), ISO_8859_1))
                .filteredOn(line -> line.startsWith("@"))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("@lambda-proxy ") || line.startsWith("@lambda-form-invoker "));
    }

    @Test
    void laterStart_usesIt() throws Exception {
        assertStarts();

        assertThat(starts()).singleElement().asString().contains(USES + archive);
    }

    @Test
    void corruptOne_isNotUsedByTheJvm() throws Exception {
        FileTime before = Files.getLastModifiedTime(archive);
        Product.run("chmod", "u+w", archive.toString());
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
            file.seek(file.length() / 4);
            file.write(new byte[(int) (file.length() / 2)]);
        }
        Files.setLastModifiedTime(archive, before);

        assertStarts();
    }

    @Test
    void shorterOne_isNotUsed_andMadeAnew() throws Exception {
        Product.run("chmod", "u+w", archive.toString());
        long size = Files.size(archive);
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
            file.setLength(size / 2);
        }

        assertStarts();

        assertThat(starts().get(0)).doesNotContain(USES);
        Patience.until("another archive", LIMIT, () -> archive.toFile().length() > size / 2, java::toString);
    }

    /** A Java whose archives cannot be made is not kept busy by every start. */
    @Test
    void javaThatCannotMakeOne_isAskedOnce() throws Exception {
        Path failing = directory.resolve("failing");
        Path program = Files.createDirectories(failing.resolve("bin")).resolve("java");
        Files.writeString(program, """
                #!/bin/sh
                case $* in *DUMPS*) echo "$*" >>'NOTES' && exit 1 ;; esac
                exec 'JAVA' "$@"
                """.replace("DUMPS", DUMPS)
                .replace("NOTES", own.resolve("dumps.txt").toString())
                .replace("JAVA", java.home().resolve("bin/java").toString()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(failing.resolve("release"), java.home().resolve("release"));

        assertStarts(failing);
        Patience.until(
                "a note of the failure",
                LIMIT,
                () -> Product.files(cache).stream().anyMatch(name -> name.endsWith(".jsa.failed")),
                java::toString);
        assertStarts(failing);

        assertThat(Files.readAllLines(own.resolve("dumps.txt"))).hasSize(1);
    }

    @Test
    void oneOfAnotherUser_isNotUsed() throws Exception {
        UserProcess.requireRoot("files of another user");
        Product.run("chown", "0", archive.toString());

        assertStarts();

        assertThat(starts().get(0)).doesNotContain(USES);
    }

    @Test
    void directoryOfAnotherUser_isNotUsed() throws Exception {
        UserProcess.requireRoot("files of another user");
        Product.run("chown", "0", cache.resolve(PLACE).toString());

        assertStarts();

        assertThat(starts()).singleElement().asString().doesNotContain(USES);
    }

    @Test
    void cacheThatCannotBeWritten_isNoFailure() throws Exception {
        Path closed = Files.createDirectory(directory.resolve("closed"));

        try (UserProcess start = start(closed)) {
            assertThat(start.exitCode()).isEqualTo(2);
            assertThat(start.err()).startsWith("elastic-run: nothing://");
        }
        assertThat(starts()).singleElement().asString().doesNotContain(USES);
        // Root is not kept out by modes.
        assertThat(UserProcess.isRoot() && !Product.files(closed).isEmpty()).isFalse();
    }

    /** Those of this test: archives of others may still be made. */
    private List<String> starts() throws IOException {
        return java.starts().stream()
                .filter(start -> !start.contains(own + "/") || start.contains(cache + "/"))
                .toList();
    }

    /** The command starts, and prints nothing that it would not print without an archive. */
    private void assertStarts() throws Exception {
        assertStarts(java.home());
    }

    private void assertStarts(Path javaHome) throws Exception {
        try (UserProcess start = start(cache, javaHome)) {
            assertThat(start.exitCode()).as(start.err()).isEqualTo(2);
            assertThat(start.err()).startsWith("elastic-run: nothing://").hasLineCount(2);
            assertThat(start.out()).isEmpty();
        }
    }

    private static UserProcess start(Path cache) throws IOException {
        return start(cache, java.home());
    }

    private static UserProcess start(Path cache, Path javaHome) throws IOException {
        Map<String, String> environment = Map.of(
                "PATH", System.getenv("PATH"), "JAVA_HOME", javaHome.toString(), "XDG_CACHE_HOME", cache.toString());
        return UserProcess.start(own, environment, installation.command("list", "nothing://"));
    }

    private static void awaitArchive(Path cache) throws IOException {
        Patience.until("an archive", LIMIT, () -> !archives(cache).isEmpty(), java::toString);
        assertThat(java.starts().stream().filter(start -> start.contains(DUMPS)))
                .hasSize(1);
    }

    private static List<Path> archives(Path cache) {
        Path launcher = cache.resolve(PLACE);
        try (Stream<Path> files = Files.list(launcher)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        } catch (IOException notYet) {
            return List.of();
        }
    }
}
