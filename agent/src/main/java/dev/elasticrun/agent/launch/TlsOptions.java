/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** By what connections are encrypted, and who is believed. Files are PEM. */
public record TlsOptions(SettingValues values) {
    /** Whether the run's nodes encrypt what they say to each other. */
    public boolean on() {
        return values.get(Settings.TLS) || isGiven();
    }

    /** Whether they do not, even if other hosts can reach them. */
    public boolean insecure() {
        return values.get(Settings.INSECURE);
    }

    /** Whether this node was told whether to encrypt; else it does what the run does. */
    public boolean isAsked() {
        return on() || insecure();
    }

    /** Whether the nodes' certificates are the user's; else they are made from the run key. */
    public boolean isGiven() {
        return Stream.of(certificate(), key(), authorities()).anyMatch(Optional::isPresent);
    }

    /** What this node shows to others. */
    public Optional<Path> certificate() {
        return values.find(Settings.TLS_CERT);
    }

    /** The certificate's, PKCS#8. */
    public Optional<Path> key() {
        return values.find(Settings.TLS_KEY);
    }

    /** Who vouches for other nodes. */
    public Optional<Path> authorities() {
        return values.find(Settings.TLS_CA);
    }

    /** What this node shows to etcd. Empty = what it shows to nodes, if etcd's authorities are theirs; else nothing. */
    public Optional<Path> etcdCertificate() {
        return values.find(Settings.ETCD_CERT);
    }

    public Optional<Path> etcdKey() {
        return values.find(Settings.ETCD_KEY);
    }

    /** Who vouches for etcd's members. Empty = who vouches for nodes, if that was given; else etcd is in plain text. */
    public Optional<Path> etcdAuthorities() {
        return values.find(Settings.ETCD_CA);
    }
}
