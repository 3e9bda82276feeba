/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VerdictsTest {

    @Test
    void e3_consequenceIsReceivedFirst_causeComesFirst() {
        Failure consequence = failure("a-1", true);
        Failure cause = failure("b-2", false);
        Failure later = failure("c-3", false);

        Verdict verdict = Verdicts.belowMinimum("too few", List.of(consequence, cause, later));

        assertThat(verdict.failures()).containsExactly(cause, later, consequence);
    }

    private static Failure failure(String nodeId, boolean collateral) {
        return new Failure(
                new Failure.Worker(nodeId, nodeId, 0, 0, 0, 100),
                1,
                1,
                new Failure.Evidence(FailureKind.EXIT_CODE, "", "", List.of(), "", ""),
                collateral,
                0);
    }
}
