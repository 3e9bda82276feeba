/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * As whom an etcd with authentication is called.
 *
 * @param givenName see {@link #name}
 * @param givenPasswordFile see {@link #passwordFile}
 */
public record EtcdUser(@Nullable String givenName, @Nullable Path givenPasswordFile) {
    public static final EtcdUser NONE = new EtcdUser(null, null);

    /** Empty = nobody, or who the certificate names. */
    public Optional<String> name() {
        return Optional.ofNullable(givenName);
    }

    /** A file with the password alone; a line feed at its end does not count. */
    public Optional<Path> passwordFile() {
        return Optional.ofNullable(givenPasswordFile);
    }

    /** What is wrong, one line each. */
    List<String> violations(boolean isEtcd) {
        List<String> violations = new ArrayList<>();
        if (name().isPresent() != passwordFile().isPresent()) {
            violations.add((name().isPresent() ? "--etcd-password-file" : "--etcd-user")
                    + ": not given (expected: --etcd-user and --etcd-password-file together)");
        }
        if (!isEtcd && (name().isPresent() || passwordFile().isPresent())) {
            violations.add("--etcd-user, --etcd-password-file: without an etcd (expected: --rdzv-endpoint of an etcd)");
        }
        passwordFile()
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file ->
                        violations.add("--etcd-password-file: " + file + " (expected: a file that can be read)"));
        return violations;
    }

    /** @throws LaunchConfigException when the file cannot be read */
    Optional<StoreLogin> login() {
        if (givenName == null || givenPasswordFile == null) {
            return Optional.empty();
        }
        try {
            String password = Files.readString(givenPasswordFile).replaceFirst("\\R$", "");
            return Optional.of(new StoreLogin.User(givenName, password));
        } catch (IOException e) {
            throw new LaunchConfigException(
                    List.of("--etcd-password-file: " + givenPasswordFile + " (expected: a readable file; " + e + ")"));
        }
    }
}
