/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.RunIdentity;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What follows from the run key for one runtime and one round, so that a runtime need not know the key itself. */
final class RoundSecret {
    private static final String ALGORITHM = "HmacSHA256";

    private RoundSecret() {}

    static byte[] of(RunIdentity run, String runtime, long round) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(run.runKey(), ALGORITHM));
            // None of them can hold a line feed.
            String text = String.join("\n", "runtime", run.runId(), run.incarnation(), runtime, Long.toString(round));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }
}
