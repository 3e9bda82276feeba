/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** What a user would pack into a jar for {@code --policy-path}: one class and the line by which it is found. */
final class OutsidePart {
    private OutsidePart() {}

    /** @return a directory below that one, for {@code --policy-path} */
    static <S> Path in(Path parent, Class<S> service, Class<? extends S> part) throws IOException {
        Path directory = parent.resolve("part-" + part.getSimpleName());
        String name = part.getName().replace('.', '/') + ".class";
        Path copy = directory.resolve(name);
        Files.createDirectories(copy.getParent());
        try (InputStream compiled = part.getClassLoader().getResourceAsStream(name)) {
            Files.copy(Objects.requireNonNull(compiled, name), copy);
        }
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(service.getName()), part.getName());
        return directory;
    }
}
