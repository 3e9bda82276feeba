/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsManagers;
import dev.elasticrun.worker.contract.TlsMaterial;
import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies this node and others of the run to each other: by user-supplied certificates, or by ones that are issued
 * from the run key as soon as that is known. Until then connections are refused, so that servers can start before. Any
 * thread.
 */
public final class RunTls {
    /** In the run's spec: certificates are made from the run key. */
    public static final String GENERATED = "on";

    /** In the run's spec: nothing is encrypted. */
    public static final String OFF = "off";

    private static final Logger LOG = LoggerFactory.getLogger(RunTls.class);
    private static final int FINGERPRINT_BYTES = 8;
    private static final int ANY_KEY_BYTES = 32;

    private final String runId;
    private final String node;
    private final List<String> hosts;
    private final String agreement;
    private final TlsManagers managers = new TlsManagers();
    // Guarded by this, so that one key makes one certificate.
    private byte @Nullable [] madeFrom;

    private RunTls(String runId, String node, List<String> hosts, String agreement) {
        this.runId = runId;
        this.node = node;
        this.hosts = List.copyOf(hosts);
        this.agreement = agreement;
    }

    /** Certificates of the user. */
    public static RunTls given(TlsMaterial given) {
        RunTls tls = new RunTls("", "", List.of(), "ca sha256:" + fingerprint(given.authorities()));
        tls.managers.bind(given);
        return tls;
    }

    /**
     * TLS with a certificate that is issued from the run key, when that is {@link #known}.
     *
     * @param node holder of the certificate: a node's id, or a command's name
     * @param hosts where it can be reached, for foreign clients
     */
    public static RunTls generated(String runId, String node, List<String> hosts) {
        return new RunTls(runId, node, hosts, GENERATED);
    }

    /**
     * Loads what first certificates and connections take, by ones that are thrown away. For a thread of its own, while
     * others do what a start takes besides.
     */
    public void rehearse() {
        try {
            byte[] anyKey = new byte[ANY_KEY_BYTES];
            new SecureRandom().nextBytes(anyKey);
            FirstHandshake.make(RunAuthority.of(anyKey, runId).issue("rehearsal", List.of()));
        } catch (SSLException | IllegalStateException e) {
            LOG.debug("the real handshakes will report what is wrong", e);
        }
    }

    /** The run key; without effect where certificates are given. */
    public synchronized void known(byte[] runKey) {
        if (agreement.equals(GENERATED) && !Arrays.equals(runKey, madeFrom)) {
            madeFrom = runKey.clone();
            managers.bind(RunAuthority.of(runKey, runId).issue(node, hosts));
        }
    }

    /** What all nodes of a run must agree on. */
    public String agreement() {
        return agreement;
    }

    /** @throws IllegalStateException before the run key is known */
    public TlsMaterial material() {
        return managers.material();
    }

    public ServerCredentials server() {
        return H2Context.server(managers.keys(), managers.trust());
    }

    public ChannelCredentials client() {
        return H2Context.client(managers.keys(), managers.trust());
    }

    /** For browsers and metrics systems, which show no certificate of their own. */
    public SSLContext web() {
        try {
            SSLContext context = SSLContext.getInstance(TlsMaterial.PROTOCOL);
            context.init(new KeyManager[] {managers.keys()}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + TlsMaterial.PROTOCOL, e);
        }
    }

    /** Of the certificate that this node shows: SHA-256, as browsers print it. */
    public String fingerprint() {
        try {
            byte[] shown = material().chain().get(0).getEncoded();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(shown));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was made or read has no digest", e);
        }
    }

    private static String fingerprint(List<X509Certificate> authorities) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            authorities.stream()
                    .map(authority ->
                            HexFormat.of().formatHex(authority.getPublicKey().getEncoded()))
                    .sorted()
                    .distinct()
                    .forEach(key -> digest.update(HexFormat.of().parseHex(key)));
            return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), FINGERPRINT_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        }
    }
}
