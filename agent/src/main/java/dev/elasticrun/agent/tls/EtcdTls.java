/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import io.grpc.ChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;

/** How an etcd is known: by authorities of its own, which may vouch for others, too, so names count. */
public final class EtcdTls {
    private EtcdTls() {}

    /**
     * PEM.
     *
     * @param authorities that vouch for etcd's members
     * @param certificate what is shown to it; empty = nothing
     * @param key the certificate's, there if that is
     */
    public record Files(Path authorities, Optional<Path> certificate, Optional<Path> key) {}

    /** @throws IOException naming the file first, and what was expected of it */
    public static ChannelCredentials credentials(Files files) throws IOException {
        X509ExtendedKeyManager keys = null;
        if (files.certificate().isPresent()) {
            // Who vouches for us there is not known here: etcd has a list of its own for that.
            TlsMaterial own =
                    new TlsFiles(files.certificate().get(), files.key().orElseThrow(), files.authorities()).read();
            GivenTls.requireValid(files.certificate().get(), own.chain().get(0));
            keys = own.keyManager();
        }
        return H2Context.client(keys, TlsMaterial.namedTrust(TlsFiles.certificates(files.authorities())));
    }
}
