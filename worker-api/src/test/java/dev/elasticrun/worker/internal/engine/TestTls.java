/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.TlsNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Certificates of two authorities, which know nothing of each other. */
public final class TestTls {
    private TestTls() {}

    /** @param authority {@code run} or {@code other} */
    static TlsFiles files(String authority) {
        try {
            return TlsFiles.in(Path.of(Objects.requireNonNull(TestTls.class.getResource("/tls/" + authority))
                    .toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static SSLContext context(String authority) {
        try {
            return files(authority).read().context();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param judged counts the certificates of listeners that were looked at */
    public static SSLContext context(String authority, AtomicInteger judged) throws Exception {
        TlsMaterial material = files(authority).read();
        SSLContext context = SSLContext.getInstance(TlsMaterial.PROTOCOL);
        context.init(
                new KeyManager[] {material.keyManager()},
                new TrustManager[] {new CountingTrustManager(material.trustManager(), judged)},
                null);
        return context;
    }

    public static Network network(String authority) {
        return new TlsNetwork(new SocketNetwork(ListenPlace.LOOPBACK), context(authority));
    }
}
