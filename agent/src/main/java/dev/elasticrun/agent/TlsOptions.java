/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * By what connections are encrypted, and who is believed. Files are PEM.
 *
 * @param wanted whether the run's nodes encrypt what they say to each other, even if no files are given
 * @param insecure whether they do not, even if other hosts can reach them
 * @param givenCertificate see {@link #certificate}
 * @param givenKey see {@link #key}
 * @param givenAuthorities see {@link #authorities}
 * @param givenEtcdCertificate see {@link #etcdCertificate}
 * @param givenEtcdKey see {@link #etcdKey}
 * @param givenEtcdAuthorities see {@link #etcdAuthorities}
 */
public record TlsOptions(
        boolean wanted,
        boolean insecure,
        @Nullable Path givenCertificate,
        @Nullable Path givenKey,
        @Nullable Path givenAuthorities,
        @Nullable Path givenEtcdCertificate,
        @Nullable Path givenEtcdKey,
        @Nullable Path givenEtcdAuthorities) {
    static final TlsOptions DEFAULT = new TlsOptions(false, false, null, null, null, null, null, null);

    /** Whether the run's nodes encrypt what they say to each other. */
    public boolean on() {
        return wanted || isGiven();
    }

    /** Whether this node was told whether to encrypt; else it does what the run does. */
    boolean isAsked() {
        return on() || insecure;
    }

    /** Whether the nodes' certificates are the user's; else they are made from the run key. */
    boolean isGiven() {
        return Stream.of(certificate(), key(), authorities()).anyMatch(Optional::isPresent);
    }

    /** What this node shows to others. */
    public Optional<Path> certificate() {
        return Optional.ofNullable(givenCertificate);
    }

    /** The certificate's, PKCS#8. */
    public Optional<Path> key() {
        return Optional.ofNullable(givenKey);
    }

    /** Who vouches for other nodes. */
    public Optional<Path> authorities() {
        return Optional.ofNullable(givenAuthorities);
    }

    /** What this node shows to etcd. Empty = what it shows to nodes, if etcd's authorities are theirs; else nothing. */
    public Optional<Path> etcdCertificate() {
        return Optional.ofNullable(givenEtcdCertificate);
    }

    public Optional<Path> etcdKey() {
        return Optional.ofNullable(givenEtcdKey);
    }

    /** Who vouches for etcd's members. Empty = who vouches for nodes, if that was given; else etcd is in plain text. */
    public Optional<Path> etcdAuthorities() {
        return Optional.ofNullable(givenEtcdAuthorities);
    }

    TlsOptions withWanted(boolean value) {
        return new TlsOptions(
                value,
                insecure,
                givenCertificate,
                givenKey,
                givenAuthorities,
                givenEtcdCertificate,
                givenEtcdKey,
                givenEtcdAuthorities);
    }

    TlsOptions withInsecure(boolean value) {
        return new TlsOptions(
                wanted,
                value,
                givenCertificate,
                givenKey,
                givenAuthorities,
                givenEtcdCertificate,
                givenEtcdKey,
                givenEtcdAuthorities);
    }

    TlsOptions withNodes(@Nullable Path newCertificate, @Nullable Path newKey, @Nullable Path newAuthorities) {
        return new TlsOptions(
                wanted,
                insecure,
                newCertificate,
                newKey,
                newAuthorities,
                givenEtcdCertificate,
                givenEtcdKey,
                givenEtcdAuthorities);
    }

    TlsOptions withEtcd(@Nullable Path newCertificate, @Nullable Path newKey, @Nullable Path newAuthorities) {
        return new TlsOptions(
                wanted, insecure, givenCertificate, givenKey, givenAuthorities, newCertificate, newKey, newAuthorities);
    }
}
