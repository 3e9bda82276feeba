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
    private static final byte[] REQUEST = {1, 2, 3};

    private final SecureRandom random = new SecureRandom();
    private final Sessions sessions = new Sessions(random);

    @Test
    void proof_receivedAndSentAgain_isRefused() {
        String nonce = sessions.open(0, random);
        CallProof proof = CallProof.of("secret", nonce, 1, METHOD, REQUEST);

        assertThat(sessions.take(proof, 1)).isTrue();
        assertThat(sessions.take(proof, 2)).isFalse();
        assertThat(sessions.take(CallProof.of("secret", nonce, 2, METHOD, REQUEST), 2))
                .isTrue();
    }

    @Test
    void proofs_overtakingEachOther_areTakenOnceEach() {
        String nonce = sessions.open(0, random);

        for (long counter : new long[] {3, 1, 2, 1000, 500}) {
            assertThat(sessions.take(CallProof.of("secret", nonce, counter, METHOD, REQUEST), 1))
                    .isTrue();
            assertThat(sessions.take(CallProof.of("secret", nonce, counter, METHOD, REQUEST), 1))
                    .isFalse();
        }
        assertThat(sessions.take(CallProof.of("secret", nonce, 5000, METHOD, REQUEST), 1))
                .isTrue();
        assertThat(sessions.take(CallProof.of("secret", nonce, 4, METHOD, REQUEST), 1))
                .as("too long ago to be distinguished from one that was used")
                .isFalse();
    }

    @Test
    void nonce_ofAnotherStoreOrTooOld_isRefused() {
        Sessions other = new Sessions(random);
        String foreign = other.open(0, random);
        String old = sessions.open(0, random);

        assertThat(sessions.take(CallProof.of("secret", foreign, 1, METHOD, REQUEST), 1))
                .isFalse();
        assertThat(sessions.take(CallProof.of("secret", old, 1, METHOD, REQUEST), TimeUnit.SECONDS.toNanos(61)))
                .isFalse();
    }

    @Test
    void nonces_askedForByStrangers_pushNobodyOut() {
        String nonce = sessions.open(0, random);
        assertThat(sessions.take(CallProof.of("secret", nonce, 1, METHOD, REQUEST), 1))
                .isTrue();

        for (int i = 0; i < 100_000; i++) {
            sessions.open(1, random);
        }

        assertThat(sessions.take(CallProof.of("secret", nonce, 2, METHOD, REQUEST), TimeUnit.HOURS.toNanos(1)))
                .isTrue();
    }

    @Test
    void proof_ofAnotherMethodRequestOrSecret_doesNotHold() {
        CallProof proof = CallProof.of("secret", sessions.open(0, random), 1, METHOD, REQUEST);

        assertThat(CallProof.parse(proof.text())).contains(proof);
        assertThat(proof.holds("secret", METHOD, REQUEST)).isTrue();
        assertThat(proof.holds("secret", "etcdserverpb.KV/Range", REQUEST)).isFalse();
        assertThat(proof.holds("secret", METHOD, new byte[] {1, 2, 4})).isFalse();
        assertThat(proof.holds("other", METHOD, REQUEST)).isFalse();
        assertThat(new CallProof(proof.nonce(), 2, proof.mac()).holds("secret", METHOD, REQUEST))
                .isFalse();
        for (String malformed : new String[] {"", "a", "a.1.b", proof.nonce() + ".-1." + proof.mac()}) {
            assertThat(CallProof.parse(malformed)).as(malformed).isEmpty();
        }
    }

    @Test
    void greeting_ofAnotherSecretOrQuestion_isNotBelieved() {
        String answer = CallProof.greeting("secret", "asked", "abc");

        assertThat(CallProof.nonce("secret", "asked", answer)).contains("abc");
        assertThat(CallProof.nonce("other", "asked", answer)).isEmpty();
        assertThat(CallProof.nonce("secret", "asked before", answer)).isEmpty();
        for (String malformed : new String[] {"", ".", "abc", "abc.", "abd" + answer.substring(3)}) {
            assertThat(CallProof.nonce("secret", "asked", malformed))
                    .as(malformed)
                    .isEmpty();
        }
    }
}
