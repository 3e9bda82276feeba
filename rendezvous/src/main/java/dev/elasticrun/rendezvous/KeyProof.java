/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * By what a run's spec says which key is the run's, without saying the key. It stands for what nodes agreed on about
 * encryption, too, so that who can write to the store cannot talk a caller out of it.
 */
final class KeyProof {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String LABEL = "elastic-run spec";

    private KeyProof() {}

    static byte[] of(byte[] runKey, String runId, String incarnation, String tls) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(runKey, ALGORITHM));
            // None of them can hold a line feed.
            return mac.doFinal(String.join("\n", LABEL, runId, incarnation, tls).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }
}
