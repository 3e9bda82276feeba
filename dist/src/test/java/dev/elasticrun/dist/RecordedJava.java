/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The Java of this process with a program before it that records each start: a line of arguments. */
record RecordedJava(Path home, Path record) {
    private static final Path JAVA = Path.of(System.getProperty("java.home"));

    /** @param record in a directory to which its users can write */
    static RecordedJava make(Path home, Path record) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.createSymbolicLink(home.resolve("lib"), JAVA.resolve("lib"));
        Files.createSymbolicLink(home.resolve("release"), JAVA.resolve("release"));
        Path java = home.resolve("bin/java");
        Files.writeString(java, "#!/bin/sh\necho \"$*\" >>'" + record + "'\nexec '" + JAVA + "/bin/java' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new RecordedJava(home, record);
    }

    List<String> starts() throws IOException {
        return Files.exists(record) ? Files.readAllLines(record) : List.of();
    }

    /** Forgets what was recorded. */
    void clear() throws IOException {
        Files.deleteIfExists(record);
    }
}
