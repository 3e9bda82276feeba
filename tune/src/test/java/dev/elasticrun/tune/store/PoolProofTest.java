/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.store.PoolProof.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolProofTest {
    private static final byte[] ORDER = "order".getBytes(StandardCharsets.UTF_8);

    private final PoolProof proof = proof("key", "pool");

    @Test
    void order_isForOneAgentOfOnePool_byTheKey() {
        byte[] proved = proof.prove(Kind.ORDER, "a", ORDER);

        assertThat(proof.check(Kind.ORDER, "a", proved))
                .hasValueSatisfying(order -> assertThat(order).isEqualTo(ORDER));
        assertThat(proof.check(Kind.ORDER, "b", proved)).isEmpty();
        assertThat(proof.check(Kind.AGENT, "a", proved)).isEmpty();
        assertThat(proof("key", "other").check(Kind.ORDER, "a", proved)).isEmpty();
        assertThat(proof("other", "pool").check(Kind.ORDER, "a", proved)).isEmpty();
    }

    @Test
    void orderThatWasChanged_orCut_isNone() {
        byte[] changed = proof.prove(Kind.ORDER, "a", ORDER);
        changed[changed.length - 1]++;

        assertThat(proof.check(Kind.ORDER, "a", changed)).isEqualTo(Optional.empty());
        assertThat(proof.check(Kind.ORDER, "a", new byte[31])).isEmpty();
        assertThat(proof.check(Kind.ORDER, "a", ORDER)).isEmpty();
    }

    private static PoolProof proof(String key, String pool) {
        return new PoolProof(key.getBytes(StandardCharsets.UTF_8), pool);
    }
}
