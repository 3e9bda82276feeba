/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.agent.tls.RunAuthority;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Certificates in files, as a user has them: of authorities that have nothing but their names in common with a run's. */
public final class Certificates {
    private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

    private Certificates() {}

    /** A directory below the given one with {@code cert.pem}, {@code key.pem} and {@code ca.pem} of that authority. */
    public static Path make(Path parent, String name, String authority) {
        return write(parent.resolve(name), authority(authority).issue(name, HOSTS));
    }

    /** The same, of a certificate that was valid only in the past. */
    public static Path makeExpired(Path parent, String name, String authority) {
        Instant from = Instant.parse("2001-01-01T00:00:00Z");
        Instant until = Instant.parse("2002-01-01T00:00:00Z");
        return write(parent.resolve(name), authority(authority).issue(name, HOSTS, from, until));
    }

    /** The same, of one that is valid until then, to the second. */
    public static Path makeUntil(Path parent, String name, String authority, Instant until) {
        return write(
                parent.resolve(name),
                authority(authority).issue(name, HOSTS, Instant.parse("2001-01-01T00:00:00Z"), until));
    }

    /** Options of an agent that shows and believes what is in such a directory. */
    public static List<String> ofNodes(Path files) {
        return List.of(
                "--tls-cert",
                files.resolve("cert.pem").toString(),
                "--tls-key",
                files.resolve("key.pem").toString(),
                "--tls-ca",
                files.resolve("ca.pem").toString());
    }

    /** The same towards an etcd. */
    public static List<String> ofEtcd(Path files) {
        return List.of(
                "--etcd-cert",
                files.resolve("cert.pem").toString(),
                "--etcd-key",
                files.resolve("key.pem").toString(),
                "--etcd-ca",
                files.resolve("ca.pem").toString());
    }

    private static RunAuthority authority(String name) {
        return RunAuthority.of(("the key of " + name).getBytes(StandardCharsets.UTF_8), name);
    }

    private static Path write(Path directory, TlsMaterial material) {
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve("cert.pem"), material.chainPem());
            Files.write(directory.resolve("key.pem"), material.keyPem());
            Files.write(directory.resolve("ca.pem"), material.authoritiesPem());
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
