/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The key and trust managers that the JDK's TLS uses, for material that is known later or replaced. Before it is known
 * they present no certificate and trust none. Any thread.
 */
public final class TlsManagers {
    private final OneKeyManager keys = new OneKeyManager();
    private final DiagnosticTrustManager trust = new DiagnosticTrustManager(false);
    private volatile @Nullable TlsMaterial material;

    /** Knows nothing yet. */
    public TlsManagers() {}

    /** From now on this is shown, and its authorities are trusted. */
    public void bind(TlsMaterial known) {
        trust.bind(known.authorities());
        keys.bind(known);
        material = known;
    }

    /** @throws IllegalStateException before it is known */
    public TlsMaterial material() {
        TlsMaterial known = material;
        if (known == null) {
            throw new IllegalStateException("cannot show a certificate before the run key is known");
        }
        return known;
    }

    public X509ExtendedKeyManager keys() {
        return keys;
    }

    public X509ExtendedTrustManager trust() {
        return trust;
    }
}
