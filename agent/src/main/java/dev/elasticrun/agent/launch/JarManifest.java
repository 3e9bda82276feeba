/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What a jar says of itself. */
final class JarManifest {
    private JarManifest() {}

    static String mainClass(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (name == null) {
                throw new IllegalArgumentException(
                        jar + ": no Main-Class in its manifest (expected: one, or --main-class)");
            }
            return name;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + jar, e);
        }
    }
}
