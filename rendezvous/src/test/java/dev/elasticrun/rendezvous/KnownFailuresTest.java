/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KnownFailuresTest {
    private final KnownFailures failures = new KnownFailures();

    @Test
    void inOrder_newsThatWasHeldBack_isAsOldAsItsEnd() {
        learn(1000, failed("peer", 3));
        learn(1250, failed("peer", 3), failed("cause", 301));

        assertThat(failures.inOrder()).extracting(Failure::nodeId).containsExactly("cause", "peer");
    }

    @Test
    void inOrder_heardOfTogether_isAsWritten() {
        learn(1000, failed("second", 0), failed("first", 0));

        assertThat(failures.inOrder()).extracting(Failure::nodeId).containsExactly("second", "first");
    }

    @Test
    void inOrder_heardOfAgain_keepsItsTime() {
        learn(1000, failed("first", 0));
        learn(1100, failed("first", 0), failed("second", 50));

        assertThat(failures.inOrder()).extracting(Failure::nodeId).containsExactly("first", "second");
    }

    private void learn(long millis, Node... nodes) {
        failures.learn(List.of(nodes), Duration.ofMillis(millis).toNanos());
    }

    private static Node failed(String nodeId, long heldMillis) {
        return NodeFixture.of(nodeId, 1).failsEarlier(heldMillis).node();
    }
}
