/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * Looks for the worker API in the class path of a jar. What cannot be read contains nothing: the JVM would not load a class
 * from it either.
 */
final class WorkerApi {
    private static final String ENTRY_CLASS = "dev/elasticrun/worker/ElasticRuntime.class";
    /** A jar within the jar, which a class loader of its own reads, as that of Spring Boot does. */
    private static final Pattern NESTED = Pattern.compile("(?:.*/)?elastic-run-worker-api[^/]*\\.jar");

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final Deque<Path> open = new ArrayDeque<>();
    private final Set<Path> seen = new HashSet<>();

    private WorkerApi() {}

    /**
     * The first place that contains it: the jar, what its manifest adds to the class path, or more class path.
     *
     * @param classPath as the JVM takes it
     */
    static Optional<Path> foundIn(Path jar, Optional<String> classPath) {
        WorkerApi search = new WorkerApi();
        search.add(jar);
        for (String entry :
                classPath.map(path -> path.split(File.pathSeparator)).orElse(new String[0])) {
            wildcard(entry).forEach(search::add);
        }
        return search.run();
    }

    private Optional<Path> run() {
        while (!open.isEmpty()) {
            Path place = open.remove();
            if (Files.isDirectory(place) ? Files.exists(place.resolve(ENTRY_CLASS)) : isInJar(place)) {
                return Optional.of(place);
            }
        }
        return Optional.empty();
    }

    private void add(Path place) {
        if (seen.add(place.toAbsolutePath().normalize())) {
            open.add(place);
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
