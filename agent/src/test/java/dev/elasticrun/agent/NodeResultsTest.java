/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.HandedResult;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class NodeResultsTest {
    private static final int LARGEST = 64 << 10;

    @Test
    void bounded_worldOf256_takesTheLargestResult() {
        HandedResult largest = HandedResult.of(0, new byte[LARGEST]);

        assertThat(NodeResults.bounded(largest, 256)).isSameAs(largest);
    }

    @Test
    void bounded_largerWorld_refusesWhatIsMoreThanItsShare() {
        HandedResult result = HandedResult.of(2, new byte[LARGEST]);

        assertThat(NodeResults.bounded(result, 512))
                .isEqualTo(HandedResult.refused(2, "65536 bytes (expected: at most 32768 in a world of 512)"));
        assertThat(NodeResults.bounded(HandedResult.of(2, new byte[LARGEST / 2]), 512)
                        .refusedBecause())
                .isEmpty();
    }

    @Test
    void handedOver_contentsAreCopies_andWhatIsMissingIsNamed() {
        TreeMap<Integer, HandedResult> results = new TreeMap<>();
        results.put(0, HandedResult.of(0, new byte[] {1}));
        results.put(1, HandedResult.refused(0, "too large"));
        HandedOver handed = HandedOver.of(results);

        Objects.requireNonNull(handed.contents().get(0))[0] = 7;

        assertThat(handed.contents()).containsOnlyKeys(0).containsEntry(0, new byte[] {1});
        assertThat(handed.missing()).containsOnlyKeys(1).containsEntry(1, "too large");
    }
}
