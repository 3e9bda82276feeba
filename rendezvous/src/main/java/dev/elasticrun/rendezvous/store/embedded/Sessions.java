/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import dev.elasticrun.rendezvous.store.CallProof;
import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Keeps which proofs were used before. A nonce costs nothing here until a caller with the secret has used it, so no
 * other caller can fill the memory or push sessions out. Guarded by this.
 */
final class Sessions {
    private static final int MAX = 4096;
    /** Within which the first call of a session must come. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** How far calls of a session may overtake each other. */
    private static final int WINDOW = 1024;

    private final byte[] own = new byte[32];
    private final Map<String, Window> used = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
            return size() > MAX;
        }
    };

    Sessions(SecureRandom random) {
        random.nextBytes(own);
    }

    /** A nonce for one caller. */
    String open(long nowNanos, SecureRandom random) {
        String text = HexFormat.of().toHexDigits(nowNanos) + HexFormat.of().toHexDigits(random.nextLong());
        return text + mark(text);
    }

    /** Whether this proof, which is a true one, is used for the first time. */
    synchronized boolean take(CallProof proof, long nowNanos) {
        Window window = used.get(proof.nonce());
        if (window == null) {
            if (!isFresh(proof.nonce(), nowNanos)) {
                return false;
            }
            window = new Window();
            used.put(proof.nonce(), window);
        }
        return window.take(proof.counter());
    }

    private boolean isFresh(String nonce, long nowNanos) {
        if (nonce.length() != 64 || !nonce.substring(32).equals(mark(nonce.substring(0, 32)))) {
            return false;
        }
        long age = nowNanos - HexFormat.fromHexDigitsToLong(nonce, 0, 16);
        return age >= 0 && age <= FRESH_NANOS;
    }

    /** By which a nonce of this store is known again. */
    private String mark(String text) {
        return HexFormat.of()
                .formatHex(Arrays.copyOf(HmacSha256.of(own, text.getBytes(StandardCharsets.US_ASCII)), 16));
    }

    /** Counters of one session that were seen, of the newest ones. */
    private static final class Window {
        private final long[] seen = new long[WINDOW];
        private long newest;

        boolean take(long counter) {
            int place = (int) (counter % WINDOW);
            if (counter < 1 || counter <= newest - WINDOW || seen[place] == counter) {
                return false;
            }
            seen[place] = counter;
            newest = Math.max(newest, counter);
            return true;
        }
    }
}
