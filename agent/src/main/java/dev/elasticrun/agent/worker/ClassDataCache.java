/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.directory.OwnDirectory;
import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.agent.directory.RunDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Archives of classes that outlive their runs, in a directory of this user on this host. Agents of several runs may use it at
 * the same time. Methods may be called by any thread.
 */
final class ClassDataCache {
    /** Those that were not used for longest are removed. */
    static final int MOST = 8;

    private static final String SUFFIX = ".jsa";
    private static final String TEMPORARY = ".tmp";

    private final Path directory;

    private ClassDataCache(Path directory) {
        this.directory = directory;
    }

    /**
     * The cache of this user, whose directory is made: below {@code XDG_CACHE_HOME}, if that is set, else in {@code /var/tmp},
     * which other hosts do not share.
     *
     * @throws IOException when there is no such directory, or others could have filled it
     */
    static ClassDataCache open(Map<String, String> environment) throws IOException {
        Path own = own(environment);
        OwnDirectory.make(own);
        Path directory = own.resolve("class-data");
        OwnDirectory.make(directory);
        return new ClassDataCache(directory);
    }

    private static Path own(Map<String, String> environment) throws IOException {
        String configured = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (!configured.startsWith("/")) {
            return Path.of("/var/tmp", "elastic-run-" + RunDirectory.uid());
        }
        return Files.createDirectories(Path.of(configured), PrivateFiles.DIRECTORY)
                .resolve("elastic-run");
    }

    /** The archive of that name, which counts as used now. */
    Optional<Path> find(String name) throws IOException {
        Path archive = directory.resolve(name + SUFFIX);
        if (!Files.isRegularFile(archive, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now()));
        return Optional.of(archive);
    }

    /** Copies an archive. JVMs that have mapped one of that name, or one that is removed for it, go on with theirs. */
    void keep(String name, Path archive) throws IOException {
        Path temporary = Files.createTempFile(directory, name, TEMPORARY, PrivateFiles.FILE);
        try {
            try (OutputStream out = Files.newOutputStream(temporary)) {
                Files.copy(archive, out);
            }
            Files.move(temporary, directory.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        removeOld();
    }

    private void removeOld() throws IOException {
        List<Path> archives = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.toString().endsWith(SUFFIX)).forEach(archives::add);
        }
        archives.sort(Comparator.comparing(ClassDataCache::lastUse).reversed());
        for (Path old : archives.subList(Math.min(MOST, archives.size()), archives.size())) {
            Files.deleteIfExists(old);
        }
    }

    private static FileTime lastUse(Path archive) {
        try {
            return Files.getLastModifiedTime(archive);
        } catch (IOException removed) {
            return FileTime.from(Instant.EPOCH);
        }
    }
}
