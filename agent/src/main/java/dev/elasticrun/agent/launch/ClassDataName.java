/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Names archives of classes by all that a JVM compares with an archive before it accepts it. */
public final class ClassDataName {
    /** Below the home of a JVM. */
    private static final List<String> JVM_FILES = List.of("lib/modules", "lib/server/libjvm.so");

    private ClassDataName() {}

    /**
     * The same for the same build of the JVM, options of the JVM, and jars of the same places, sizes and times. Reads no more
     * than attributes of files.
     *
     * @throws IOException when the JVM or a jar is not there
     */
    public static String of(LaunchConfig config) throws IOException {
        List<String> parts = new ArrayList<>();
        Path home = config.workers().java().toRealPath().resolve("../..").normalize();
        for (String file : JVM_FILES) {
            parts.add(attributes(home.resolve(file)));
        }
        parts.addAll(config.workers().javaOpts());
        for (String jar : WorkerProgram.classPath(config).split(File.pathSeparator, -1)) {
            parts.add(attributes(Path.of(jar)));
        }
        return HexFormat.of().formatHex(sha256(String.join("\n", parts)));
    }

    private static String attributes(Path file) throws IOException {
        return file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no SHA-256", e);
        }
    }
}
