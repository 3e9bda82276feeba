/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Looks in the class path of a jar for the worker API, and for classes that refer to it. What cannot be read contains
 * nothing: the JVM would not load a class from it either.
 */
final class WorkerApiSearch {
    private static final String ENTRY_CLASS = "dev/elasticrun/worker/ElasticRuntime.class";
    /** As constants of a class have the name of the package. */
    private static final String PACKAGE = "dev/elasticrun/worker/";

    private static final String CLASS = ".class";
    /** Of how many classes the constants are read: some hundredths of a second. */
    private static final int MOST_CLASSES = 2000;
    /** A jar within the jar, which a class loader of its own reads, as that of Spring Boot does. */
    private static final Pattern NESTED = Pattern.compile("(?:.*/)?elastic-run-worker-api[^/]*\\.jar");

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final Deque<Path> open = new ArrayDeque<>();
    private final Set<Path> seen = new LinkedHashSet<>();
    private @Nullable Path referring;
    private int classes;

    private WorkerApiSearch() {}

    /**
     * What a search found.
     *
     * @param containing the first place with the API itself
     * @param referring a place with a class that refers to it; looked for only where none contains it
     * @param isWhole false if there are more classes than are read, and none of those refers to it
     */
    record Result(Optional<Path> containing, Optional<Path> referring, boolean isWhole) {}

    /**
     * Looks in the jar, in what its manifest adds to the class path, and in more class path.
     *
     * @param classPath as the JVM takes it
     */
    static Result of(Path jar, Optional<String> classPath) {
        WorkerApiSearch search = new WorkerApiSearch();
        search.add(jar);
        for (String entry :
                classPath.map(path -> path.split(File.pathSeparator)).orElse(new String[0])) {
            wildcard(entry).forEach(search::add);
        }
        return search.run();
    }

    private Result run() {
        while (!open.isEmpty()) {
            Path place = open.remove();
            if (Files.isDirectory(place) ? Files.exists(place.resolve(ENTRY_CLASS)) : isInJar(place)) {
                return new Result(Optional.of(place), Optional.empty(), true);
            }
        }
        for (Path place : seen) {
            if (!Files.isDirectory(place)) {
                readClasses(place);
            }
        }
        return new Result(Optional.empty(), Optional.ofNullable(referring), classes < MOST_CLASSES);
    }

    private void add(Path place) {
        if (seen.add(place.toAbsolutePath().normalize())) {
            open.add(place);
        }
    }

    private void readClasses(Path file) {
        try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ)) {
            Iterator<JarEntry> entries = jar.entries().asIterator();
            while (entries.hasNext() && referring == null && classes < MOST_CLASSES) {
                JarEntry entry = entries.next();
                if (entry.getName().endsWith(CLASS)) {
                    classes++;
                    try (InputStream code = jar.getInputStream(entry)) {
                        if (new String(code.readAllBytes(), StandardCharsets.ISO_8859_1).contains(PACKAGE)) {
                            referring = file;
                        }
                    }
                }
            }
        } catch (IOException | SecurityException e) {
            // It contains nothing.
        }
    }

    private boolean isInJar(Path file) {
        try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ)) {
            if (jar.getEntry(ENTRY_CLASS) != null
                    || jar.stream()
                            .anyMatch(entry -> NESTED.matcher(entry.getName()).matches())) {
                return true;
            }
            manifestClassPath(file, jar.getManifest()).forEach(this::add);
            return false;
        } catch (IOException | SecurityException e) {
            return false;
        }
    }

    /** URLs, separated by blanks and relative to the jar. */
    private static List<Path> manifestClassPath(Path jar, Manifest manifest) {
        String urls = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        List<Path> places = new ArrayList<>();
        for (String url : urls == null ? new String[0] : BLANKS.split(urls.strip())) {
            try {
                places.add(Path.of(jar.toUri().resolve(URI.create(url))));
            } catch (IllegalArgumentException | java.nio.file.FileSystemNotFoundException e) {
                // Not a file: the JVM may load classes from it, but the API is not looked for in the network.
            }
        }
        return places;
    }

    /** All jars of a directory for {@code DIRECTORY/*}, as the JVM does; else the entry itself. */
    private static List<Path> wildcard(String entry) {
        if (!entry.equals("*") && !entry.endsWith("/*")) {
            return List.of(Path.of(entry));
        }
        List<Path> jars = new ArrayList<>();
        Path directory = Path.of(entry.substring(0, entry.length() - 1));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
            files.forEach(jars::add);
        } catch (IOException e) {
            return List.of();
        }
        return jars;
    }
}
