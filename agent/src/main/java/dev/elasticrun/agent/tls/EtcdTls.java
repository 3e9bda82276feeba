/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import io.grpc.ChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;

/** Verifies an etcd: by CAs of its own, which may certify other servers, too, so names count. */
public final class EtcdTls {
    private EtcdTls() {}

    /**
     * PEM.
     *
     * @param authorities CAs of etcd's members
     * @param certificate client certificate for etcd; empty = none
     * @param key the certificate's; present if the certificate is
     */
    public record Files(Path authorities, Optional<Path> certificate, Optional<Path> key) {}

    /** @throws IOException naming the file first, and what was expected of it */
    public static ChannelCredentials credentials(Files files) throws IOException {
        X509ExtendedKeyManager keys = null;
        if (files.certificate().isPresent()) {
            // The CA of our client certificate is not known here: etcd has a list of its own for that.
            TlsMaterial own =
                    new TlsFiles(files.certificate().get(), files.key().orElseThrow(), files.authorities()).read();
            GivenTls.requireValid(files.certificate().get(), own.chain().get(0));
            keys = own.keyManager();
        }
        return H2Context.client(keys, TlsMaterial.namedTrust(TlsFiles.certificates(files.authorities())));
    }
}
