/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.command.CommandGoalTest;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeNamesTest {
    private static final List<NodeRecord> NODES =
            List.of(node("big-1a", "big"), node("big-2b", "big"), node("x-3", "x"));

    @Test
    void resolve_idStartOrLabel_ofOneNode() {
        assertThat(NodeNames.resolve("big-2b", NODES)).isEqualTo("big-2b");
        assertThat(NodeNames.resolve("big-1", NODES)).isEqualTo("big-1a");
        assertThat(NodeNames.resolve("x", NODES)).isEqualTo("x-3");
    }

    @Test
    void resolve_several_namesThem() {
        assertThatThrownBy(() -> NodeNames.resolve("big", NODES))
                .hasMessage("node: big (expected: one node; that is big-1a, big-2b)");
    }

    @Test
    void resolve_none_namesThoseThatThereAre() {
        assertThatThrownBy(() -> NodeNames.resolve("y", NODES))
                .hasMessage("node: y (expected: one of big-1a, big-2b, x-3)");
    }

    private static NodeRecord node(String nodeId, String label) {
        return CommandGoalTest.node(nodeId, label, NodePhase.ACTIVE);
    }
}
