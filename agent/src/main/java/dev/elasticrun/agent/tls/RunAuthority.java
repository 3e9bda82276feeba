/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.agent.tls.CertificateMaker.Validity;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The CA of a run: its key is derived from the run key, so a holder of the run key can issue its own certificate, and
 * no other party can. See docs/adr/0023. Any thread.
 */
public final class RunAuthority {
    private static final String PURPOSE = "elastic-run tls authority 1 ";
    private static final int NAME_BYTES = 4;

    private final CertificateMaker maker;
    private final X509Certificate certificate;

    private RunAuthority(String name, KeyPair keys) {
        this.maker = new CertificateMaker(name, keys);
        this.certificate = maker.authority();
    }

    /** Two runs with one key have two CAs. */
    public static RunAuthority of(byte[] runKey, String runId) {
        KeyPair keys = DerivedKey.of(runKey, PURPOSE + runId);
        return new RunAuthority("elastic-run " + runId + " " + mark(keys), keys);
    }

    // Makes the CA's name distinct per key.
    private static String mark(KeyPair keys) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(keys.getPublic().getEncoded());
            return HexFormat.of().formatHex(Arrays.copyOf(digest, NAME_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        }
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /**
     * A new key with a certificate, valid as long as the run key is.
     *
     * @param node name of the subject
     * @param hosts names and IPv4 addresses besides, for foreign clients, which compare them
     */
    public TlsMaterial issue(String node, List<String> hosts) {
        return issue(node, hosts, Validity.ALWAYS);
    }

    /** The same, valid only for a time. */
    public TlsMaterial issue(String node, List<String> hosts, Instant from, Instant until) {
        return issue(node, hosts, new Validity(from, until));
    }

    private TlsMaterial issue(String node, List<String> hosts, Validity validity) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            List<String> names = new ArrayList<>(List.of(node));
            names.addAll(hosts);
            X509Certificate leaf = maker.leaf(node, keys.getPublic(), names, validity);
            return new TlsMaterial(keys.getPrivate(), List.of(leaf), List.of(certificate));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM makes no keys on P-256", e);
        }
    }
}
