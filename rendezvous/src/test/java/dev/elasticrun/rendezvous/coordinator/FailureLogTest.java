/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailureLogTest {
    private final FailureLog memory = new FailureLog();

    @Test
    void learn_reportedAgain_isKeptOnceAndInOrder() {
        Node first = NodeFixture.of("a", 1).fails().node();
        Node second = NodeFixture.of("b", 2).fails().node();

        memory.learn(List.of(first), 0);
        memory.learn(List.of(second, first), 0);

        assertThat(memory.list()).extracting(Failure::nodeId).containsExactly("a", "b");
    }

    @Test
    void learn_nodeIsGone_isNotForgotten() {
        memory.learn(List.of(NodeFixture.of("a", 1).fails().node()), 0);
        memory.learn(List.of(), 0);

        assertThat(memory.list()).hasSize(1);
    }

    @Test
    void learn_moreThanAreKept_forgetsTheOldest() {
        for (int i = 0; i <= FailureLog.MAX; i++) {
            memory.learn(List.of(NodeFixture.of("n" + i, 1).fails().node()), 0);
        }

        assertThat(memory.list())
                .hasSize(FailureLog.MAX)
                .extracting(Failure::nodeId)
                .contains("n1", "n" + FailureLog.MAX)
                .doesNotContain("n0");
    }

    @Test
    void list_newsThatWasHeldBack_isAsOldAsItsEnd() {
        Node peer = NodeFixture.of("peer", 1).failsEarlier(3).node();
        Node cause = NodeFixture.of("cause", 2).failsEarlier(301).node();

        memory.learn(List.of(peer), Duration.ofSeconds(1).toNanos());
        memory.learn(List.of(peer, cause), Duration.ofMillis(1250).toNanos());

        assertThat(memory.list()).extracting(Failure::nodeId).containsExactly("cause", "peer");
    }
}
