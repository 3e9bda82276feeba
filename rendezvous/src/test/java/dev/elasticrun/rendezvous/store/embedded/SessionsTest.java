/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.CallProof;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class SessionsTest {
    private static final String METHOD = "etcdserverpb.KV/Txn";

    private final SecureRandom random = new SecureRandom();
    private final Sessions sessions = new Sessions(random);

    @Test
    void proof_heardAndSaidAgain_isRefused() {
        String nonce = sessions.open(0, random);
        CallProof proof = CallProof.of("secret", nonce, 1, METHOD);

        assertThat(sessions.take(proof, 1)).isTrue();
        assertThat(sessions.take(proof, 2)).isFalse();
        assertThat(sessions.take(CallProof.of("secret", nonce, 2, METHOD), 2)).isTrue();
    }

    @Test
    void proofs_overtakingEachOther_areTakenOnceEach() {
        String nonce = sessions.open(0, random);

        for (long counter : new long[] {3, 1, 2, 1000, 500}) {
            assertThat(sessions.take(CallProof.of("secret", nonce, counter, METHOD), 1))
                    .isTrue();
            assertThat(sessions.take(CallProof.of("secret", nonce, counter, METHOD), 1))
                    .isFalse();
        }
        assertThat(sessions.take(CallProof.of("secret", nonce, 5000, METHOD), 1))
                .isTrue();
        assertThat(sessions.take(CallProof.of("secret", nonce, 4, METHOD), 1))
                .as("too long ago to be told from one that was used")
                .isFalse();
    }

    @Test
    void nonce_ofAnotherStoreOrTooOld_isRefused() {
        Sessions other = new Sessions(random);
        String foreign = other.open(0, random);
        String old = sessions.open(0, random);

        assertThat(sessions.take(CallProof.of("secret", foreign, 1, METHOD), 1)).isFalse();
        assertThat(sessions.take(CallProof.of("secret", old, 1, METHOD), TimeUnit.SECONDS.toNanos(61)))
                .isFalse();
    }

    @Test
    void nonces_askedForByStrangers_pushNobodyOut() {
        String nonce = sessions.open(0, random);
        assertThat(sessions.take(CallProof.of("secret", nonce, 1, METHOD), 1)).isTrue();

        for (int i = 0; i < 100_000; i++) {
            sessions.open(1, random);
        }

        assertThat(sessions.take(CallProof.of("secret", nonce, 2, METHOD), TimeUnit.HOURS.toNanos(1)))
                .isTrue();
    }

    @Test
    void proof_ofAnotherMethodOrSecret_doesNotHold() {
        CallProof proof = CallProof.of("secret", sessions.open(0, random), 1, METHOD);

        assertThat(CallProof.parse(proof.text())).contains(proof);
        assertThat(proof.holds("secret", METHOD)).isTrue();
        assertThat(proof.holds("secret", "etcdserverpb.KV/Range")).isFalse();
        assertThat(proof.holds("other", METHOD)).isFalse();
        assertThat(new CallProof(proof.nonce(), 2, proof.mac()).holds("secret", METHOD))
                .isFalse();
        for (String malformed : new String[] {"", "a", "a.1.b", proof.nonce() + ".-1." + proof.mac()}) {
            assertThat(CallProof.parse(malformed)).as(malformed).isEmpty();
        }
    }
}
