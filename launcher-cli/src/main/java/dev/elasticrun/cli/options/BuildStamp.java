/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.jar.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * What the build writes into the manifest of the command's jar.
 *
 * @param version of elastic-run
 * @param commit {@code unknown} where the sources were in no repository
 */
record BuildStamp(String version, String commit) {
    private static final Attributes.Name COMMIT = new Attributes.Name("Build-Commit");
    private static final int COMMIT_LENGTH = 12;

    /** @return null: the classes are in no jar */
    static @Nullable BuildStamp ofThisCommand() {
        URL own = BuildStamp.class.getResource(BuildStamp.class.getSimpleName() + ".class");
        try {
            return own != null && own.openConnection() instanceof JarURLConnection jar
                    ? of(jar.getMainAttributes())
                    : null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the manifest of " + own, e);
        }
    }

    /** @return null: another build has packed the classes, which states no version of theirs */
    static @Nullable BuildStamp of(@Nullable Attributes manifest) {
        String version = manifest == null ? null : manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        String commit = manifest == null ? null : manifest.getValue(COMMIT);
        return version == null || commit == null ? null : new BuildStamp(version, commit);
    }

    @Override
    public String toString() {
        return version + " (commit " + commit.substring(0, Math.min(COMMIT_LENGTH, commit.length())) + ")";
    }
}
