/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.charset.StandardCharsets;

/**
 * By what a run's spec says which key is the run's, without saying the key. It stands for what nodes agreed on about
 * encryption, too, so that who can write to the store cannot talk a caller out of it.
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
