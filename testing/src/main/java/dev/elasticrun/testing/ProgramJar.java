/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes programs of this process's class path into jars, which agents start. */
final class ProgramJar {
    private ProgramJar() {}

    /**
     * Writes a jar whose manifest names the main class and the class path of this process.
     *
     * @throws IllegalArgumentException when the class has no main method that the JVM can call
     */
    static void write(Path file, Class<?> mainClass) {
        requireMain(mainClass);
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, mainClass.getName());
        attributes.put(Attributes.Name.CLASS_PATH, classPath());
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.finish();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static void requireMain(Class<?> mainClass) {
        try {
            int modifiers = mainClass.getDeclaredMethod("main", String[].class).getModifiers();
            if (Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers)) {
                return;
            }
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(expected(mainClass), e);
        }
        throw new IllegalArgumentException(expected(mainClass));
    }

    private static String expected(Class<?> mainClass) {
        return "mainClass: " + mainClass.getName() + " (expected: a class with public static void main(String[]))";
    }

    // Also where a part of it is the module path. URLs, separated by blanks; that of a directory ends with a slash.
    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().toUri().toASCIIString())
                .distinct()
                .collect(Collectors.joining(" "));
    }
}
