/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Certificates and CAs of encrypted connections. Files are PEM. */
public record TlsOptions(SettingValues values) {
    /** Whether the run's nodes encrypt their communication. */
    public boolean on() {
        return values.get(Settings.TLS) || isGiven();
    }

    /** Whether they do not, even if other hosts can reach them. */
    public boolean insecure() {
        return values.get(Settings.INSECURE);
    }

    /** Whether encryption is configured on this node; else it does what the run does. */
    public boolean isAsked() {
        return on() || insecure();
    }

    /** Whether the nodes' certificates are the user's; else they are made from the run key. */
    public boolean isGiven() {
        return Stream.of(certificate(), key(), authorities()).anyMatch(Optional::isPresent);
    }

    /** The certificate of this node. */
    public Optional<Path> certificate() {
        return values.find(Settings.TLS_CERT);
    }

    /** The certificate's, PKCS#8. */
    public Optional<Path> key() {
        return values.find(Settings.TLS_KEY);
    }

    /** The CAs of other nodes. */
    public Optional<Path> authorities() {
        return values.find(Settings.TLS_CA);
    }

    /** The client certificate for etcd. Empty = the node's certificate, if etcd's CAs are those of nodes; else none. */
    public Optional<Path> etcdCertificate() {
        return values.find(Settings.ETCD_CERT);
    }

    public Optional<Path> etcdKey() {
        return values.find(Settings.ETCD_KEY);
    }

    /** The CAs of etcd's members. Empty = the CAs of nodes, if those were given; else etcd is in plain text. */
    public Optional<Path> etcdAuthorities() {
        return values.find(Settings.ETCD_CA);
    }
}
