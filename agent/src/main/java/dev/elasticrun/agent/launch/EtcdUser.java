/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The user as which the agent calls an etcd with authentication. */
public record EtcdUser(SettingValues values) {
    /** Empty = no user, or the one that the certificate names. */
    public Optional<String> name() {
        return values.find(Settings.ETCD_USER);
    }

    /** A file with the password alone; a line feed at its end does not count. */
    Optional<Path> passwordFile() {
        return values.find(Settings.ETCD_PASSWORD_FILE);
    }

    /** What is wrong, one line each. */
    public List<String> violations(boolean isEtcd) {
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
    public Optional<StoreLogin> login() {
        return name().flatMap(name -> passwordFile().map(file -> new StoreLogin.User(name, password(file))));
    }

    private static String password(Path file) {
        try {
            return Files.readString(file).replaceFirst("\\R$", "");
        } catch (IOException e) {
            throw new LaunchConfigException(
                    List.of("--etcd-password-file: " + file + " (expected: a readable file; " + e + ")"));
        }
    }
}
