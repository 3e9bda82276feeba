/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The classes of an application in this process, driver or executor, as files that a process of its own can be given.
 *
 * @param loader that has them
 */
record ApplicationClasses(ClassLoader loader) {

    /** Those that the calling thread sees: Spark sets a thread's class loader to that of the application. */
    static ApplicationClasses here() {
        @Nullable ClassLoader seen = Thread.currentThread().getContextClassLoader();
        return new ApplicationClasses(seen == null ? ApplicationClasses.class.getClassLoader() : seen);
    }

    /**
     * The jar that has a class. The class is not loaded: it may need what only workers have.
     *
     * @throws ElasticSparkException when no jar has it
     */
    Path jar(String mainClass) {
        @Nullable URL place = loader.getResource(mainClass.replace('.', '/') + ".class");
        try {
            if (place != null && place.openConnection() instanceof JarURLConnection jar) {
                Path file = file(jar.getJarFileURL());
                if (file != null) {
                    return file;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("main class: " + mainClass + " in " + place, e);
        }
        throw new ElasticSparkException("main class: " + mainClass
                + " is in no jar (expected: in one of the application, " + "which executors have)");
    }

    /** A class path: the application's own jars, those, and what this process was started with. */
    String path(List<Path> more) {
        Set<String> entries = new LinkedHashSet<>();
        for (@Nullable ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each instanceof URLClassLoader jars) {
                for (URL url : jars.getURLs()) {
                    Path file = file(url);
                    if (file != null) {
                        entries.add(file.toString());
                    }
                }
            }
        }
        more.forEach(jar -> entries.add(jar.toString()));
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return entries.stream()
                .filter(entry -> Files.exists(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static @Nullable Path file(URL url) {
        try {
            URI uri = url.toURI();
            return "file".equals(uri.getScheme()) ? Path.of(uri).toAbsolutePath() : null;
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return null;
        }
    }
}
