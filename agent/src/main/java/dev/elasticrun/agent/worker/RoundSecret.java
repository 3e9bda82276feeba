/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.charset.StandardCharsets;

/** What follows from the run key for one runtime and one round, so that a runtime need not know the key itself. */
final class RoundSecret {
    private RoundSecret() {}

    static byte[] of(RunIdentity run, String runtime, long round) {
        // None of them can hold a line feed.
        String text = String.join("\n", "runtime", run.runId(), run.incarnation(), runtime, Long.toString(round));
        return HmacSha256.of(run.runKey(), text.getBytes(StandardCharsets.UTF_8));
    }
}
