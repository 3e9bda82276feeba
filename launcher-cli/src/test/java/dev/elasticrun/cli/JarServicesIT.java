/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The services that the command's jar registers: a part of a library that is left out takes its registration along. */
final class JarServicesIT {
    private static final Path JAR = Path.of("target/elastic-run.jar");
    private static final String SERVICES = "META-INF/services/";

    /** A JVM looks for security providers on the class path, too, where it does not find one of its own. */
    @Test
    void registeredClasses_allOfThem_canBeLoaded() throws IOException {
        URL[] jars = {JAR.toUri().toURL()};
        try (JarFile jar = new JarFile(JAR.toFile());
                URLClassLoader loader = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            List<String> registered = jar.stream()
                    .filter(entry -> entry.getName().startsWith(SERVICES) && !entry.isDirectory())
                    .filter(entry -> isThere(entry.getName().substring(SERVICES.length()), loader))
                    .flatMap(entry -> classes(jar, entry).stream())
                    .toList();

            assertThat(registered).isNotEmpty().allSatisfy(name -> assertThatCode(
                            () -> Class.forName(name, false, loader))
                    .as(name)
                    .doesNotThrowAnyException());
        }
    }

    /** Nobody can look for implementations of a type that is not there, as of an optional part of a library. */
    private static boolean isThere(String service, ClassLoader loader) {
        try {
            Class.forName(service, false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static List<String> classes(JarFile jar, JarEntry services) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(jar.getInputStream(services), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
