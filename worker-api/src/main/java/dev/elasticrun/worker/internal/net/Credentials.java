/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * By what workers of a run know each other.
 *
 * @param key the run key, which both ends of a connection prove to know
 * @param tls what connections are encrypted by; empty = they are not
 */
public record Credentials(byte[] key, Optional<SSLContext> tls) {

    /** Without encryption. */
    public static Credentials of(byte[] key) {
        return new Credentials(key, Optional.empty());
    }

    public Network over(Network network) {
        return tls.<Network>map(context -> new TlsNetwork(network, context)).orElse(network);
    }
}
