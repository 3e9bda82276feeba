/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.charset.StandardCharsets;

/**
 * Identifies the run's key in the run's spec without revealing it. It certifies what nodes agreed on about encryption,
 * too, so that write access to the store is not enough to turn encryption off for a caller.
 */
public final class KeyProof {
    private static final String LABEL = "elastic-run spec";

    private KeyProof() {}

    public static byte[] of(byte[] runKey, String runId, String incarnation, String tls) {
        // None of them can hold a line feed.
        String text = String.join("\n", LABEL, runId, incarnation, tls);
        return HmacSha256.of(runKey, text.getBytes(StandardCharsets.UTF_8));
    }
}
