/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What processes that still run wrote below a directory: files and directories may be deleted while they are read. */
public final class DaemonLogs {
    private static final Set<FileVisitOption> NO_LINKS = EnumSet.noneOf(FileVisitOption.class);

    private DaemonLogs() {}

    /**
     * The texts of files, each below a line with its path, in the order of the paths.
     *
     * @param depth how many levels of directories are looked at
     */
    public static String below(Path directory, int depth, Predicate<Path> isLog) {
        Map<Path, String> texts = new TreeMap<>();
        try {
            Files.walkFileTree(directory, NO_LINKS, depth, new Reader(isLog, texts));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts.entrySet().stream()
                .map(text -> "---- " + directory.relativize(text.getKey()) + "\n" + text.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static final class Reader extends SimpleFileVisitor<Path> {
        private final Predicate<Path> isLog;
        private final Map<Path, String> texts;

        Reader(Predicate<Path> isLog, Map<Path, String> texts) {
            this.isLog = isLog;
            this.texts = texts;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && isLog.test(file)) {
                texts.put(file, read(file));
            }
            return FileVisitResult.CONTINUE;
        }

        /** What its owner deleted has no text. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        private static String read(Path file) {
            try {
                return Files.readString(file, StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                return e.toString();
            }
        }
    }
}
