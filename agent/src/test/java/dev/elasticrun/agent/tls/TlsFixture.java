/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Certificates in files, as a user has them. */
public final class TlsFixture {
    private TlsFixture() {}

    /** Another authority for each name. */
    public static RunAuthority authority(String name) {
        return RunAuthority.of(("the key of " + name).getBytes(StandardCharsets.UTF_8), name);
    }

    /** Valid on this machine, and only in the past. */
    public static TlsFiles expired(Path directory, String authority) {
        return write(
                directory,
                authority(authority)
                        .issue(
                                "node",
                                List.of("localhost", "127.0.0.1"),
                                Instant.parse("2001-01-01T00:00:00Z"),
                                Instant.parse("2002-01-01T00:00:00Z")));
    }

    public static TlsFiles valid(Path directory, String authority) {
        return write(directory, authority(authority).issue("node", List.of("localhost", "127.0.0.1")));
    }

    public static TlsFiles write(Path directory, TlsMaterial material) {
        TlsFiles files = TlsFiles.in(directory);
        try {
            Files.createDirectories(directory);
            Files.write(files.certificate(), material.chainPem());
            Files.write(files.key(), material.keyPem());
            Files.write(files.authorities(), material.authoritiesPem());
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
