/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.terms.KeyProof;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.security.SecureRandom;

/**
 * What an agent that turns out to be the first of a run makes for all.
 *
 * @param incarnation random id of this start of the run
 * @param random for the run's secret, where none was given
 */
public record RunFounder(String incarnation, SecureRandom random) {
    private static final int RUN_KEY_BYTES = 32;

    byte[] mintKey() {
        byte[] key = new byte[RUN_KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    /** @param key the run's secret, given or minted: the store holds no given one */
    RunSpec spec(RendezvousConfig config, byte[] key) {
        boolean isStored = config.runKey().inStore() && config.runKey().given() == null;
        return new RunSpec(
                incarnation,
                config.terms(),
                isStored ? key : new byte[0],
                KeyProof.of(key, config.runId(), incarnation, config.terms().tls()),
                0);
    }
}
