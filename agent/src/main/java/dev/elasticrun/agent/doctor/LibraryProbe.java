/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.runtime.NativeLibrary;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for libraries of the operating system where its loader does. */
final class LibraryProbe {
    private static final String NAME = "native library";

    private final Set<Path> directories;

    private LibraryProbe(Set<Path> directories) {
        this.directories = directories;
    }

    /** Those of {@code LD_LIBRARY_PATH}, of this JVM, and of the configuration of the loader. */
    static LibraryProbe ofThisMachine() {
        return of(System.getProperty("java.library.path", ""), Path.of("/etc/ld.so.conf.d"));
    }

    static LibraryProbe of(String searchPath, Path configurations) {
        Set<Path> directories = new LinkedHashSet<>();
        for (String entry : searchPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                directories.add(Path.of(entry));
            }
        }
        for (String usual : List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib")) {
            directories.add(Path.of(usual));
        }
        if (Files.isDirectory(configurations)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(configurations, "*.conf")) {
                for (Path file : files) {
                    Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                            .map(String::trim)
                            .filter(line -> line.startsWith("/"))
                            .forEach(line -> directories.add(Path.of(line)));
                }
            } catch (IOException | UncheckedIOException unreadable) {
                // The usual directories are left.
                return new LibraryProbe(directories);
            }
        }
        return new LibraryProbe(directories);
    }

    /** @param runtime whose workers need it */
    Check check(NativeLibrary library, String runtime) {
        Optional<Path> found = directories.stream()
                .map(directory -> directory.resolve(library.file()))
                .filter(Files::isReadable)
                .findFirst();
        String name = NAME + " " + library.file();
        return found.map(file -> Check.ok(name, file.toString()))
                .orElseGet(() -> Check.error(
                        name,
                        "not found, and workers with --runtime " + runtime + " need it",
                        "install " + library.source()));
    }
}
