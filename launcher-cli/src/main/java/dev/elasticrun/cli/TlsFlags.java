/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** By what connections are encrypted, and who is believed. */
final class TlsFlags {
    private TlsFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Encryption",
            List.of(
                    Flag.yes(
                            "tls",
                            "Encrypts what agents, workers of several nodes, commands and an embedded store say to each"
                                    + " other. Certificates are made from the run key if none are given. Default: what the"
                                    + " run does; its first agent encrypts if it listens at more than a loopback address.",
                            LaunchConfigBuilder::tls,
                            config -> config.tls().wanted()),
                    Flag.yes(
                            "insecure",
                            "Leaves it in plain text, wherever the node listens.",
                            LaunchConfigBuilder::insecure,
                            config -> config.tls().insecure()),
                    Flag.ifGiven(
                            "tls-cert",
                            "FILE",
                            "Certificate that this node shows, PEM; with --tls-key and --tls-ca. Implies --tls.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::tlsCert,
                            config -> config.tls().certificate()),
                    Flag.ifGiven(
                            "tls-key",
                            "FILE",
                            "The certificate's key, PEM of PKCS#8.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::tlsKey,
                            config -> config.tls().key()),
                    Flag.ifGiven(
                            "tls-ca",
                            "FILE",
                            "Authorities that vouch for the run's nodes, and for nobody else, PEM.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::tlsCa,
                            config -> config.tls().authorities()),
                    Flag.ifGiven(
                            "etcd-ca",
                            "FILE",
                            "Authorities that vouch for the etcd, PEM; connections to it use TLS. Default: --tls-ca.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::etcdCa,
                            config -> config.tls().etcdAuthorities()),
                    Flag.ifGiven(
                            "etcd-cert",
                            "FILE",
                            "Certificate that the etcd is shown, PEM. Default: --tls-cert if there is no --etcd-ca.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::etcdCert,
                            config -> config.tls().etcdCertificate()),
                    Flag.ifGiven(
                            "etcd-key",
                            "FILE",
                            "That certificate's key, PEM of PKCS#8.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::etcdKey,
                            config -> config.tls().etcdKey()),
                    Flag.ifGiven(
                            "etcd-user",
                            "NAME",
                            "User of an etcd with authentication; with --etcd-password-file.",
                            FlagKind.TEXT,
                            LaunchConfigBuilder::etcdUser,
                            config -> config.store().etcdUser().name()),
                    Flag.ifGiven(
                            "etcd-password-file",
                            "FILE",
                            "File with that user's password.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::etcdPasswordFile,
                            config -> config.store().etcdUser().passwordFile()),
                    Flag.yes(
                            "store-open-reads",
                            "Whoever reaches an embedded store of this agent may read it, such as etcdctl; writes need"
                                    + " the run key all the same.",
                            LaunchConfigBuilder::storeOpenReads,
                            config -> config.store().openReads())));
}
