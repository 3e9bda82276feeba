/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassDataCacheTest {
    @TempDir
    private Path directory;

    private ClassDataCache open() throws IOException {
        return ClassDataCache.open(
                Map.of("XDG_CACHE_HOME", directory.resolve("cache").toString()));
    }

    private Path archive(String content) throws IOException {
        return Files.writeString(directory.resolve("archive"), content);
    }

    private List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("cache/elastic-run/class-data"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void find_whatWasKept_isForThisUserOnly() throws IOException {
        open().keep("a", archive("one"));
        open().keep("a", archive("two"));

        assertThat(open().find("a"))
                .hasValueSatisfying(found -> assertThat(found).hasContent("two"));
        assertThat(open().find("b")).isEmpty();
        assertThat(kept()).singleElement().satisfies(file -> assertThat(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------"));
    }

    @Test
    void keep_moreThanTheMost_removesThoseThatWereNotUsedForLongest() throws IOException {
        ClassDataCache cache = open();
        for (int i = 0; i < ClassDataCache.MOST; i++) {
            cache.keep("n" + i, archive("content"));
            Files.setLastModifiedTime(
                    cache.find("n" + i).orElseThrow(), FileTime.from(Instant.ofEpochSecond(1000 + i)));
        }
        cache.find("n0");

        cache.keep("new", archive("content"));

        assertThat(kept()).hasSize(ClassDataCache.MOST);
        assertThat(cache.find("n0")).isPresent();
        assertThat(cache.find("n1")).isEmpty();
    }

    @Test
    void open_directoryThatOthersCanWrite_isRefused() throws IOException {
        open();
        Files.setPosixFilePermissions(
                directory.resolve("cache/elastic-run"), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(this::open)
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("that others cannot write");
    }

    @Test
    void open_noDirectoryCanBeMade_fails() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> ClassDataCache.open(Map.of("XDG_CACHE_HOME", file.toString())))
                .isInstanceOf(IOException.class);
    }
}
