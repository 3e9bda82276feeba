/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.control.ControlFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NeighboursTest {
    @Test
    void of_participant_isTheCoordinatorAndTheSuccessor() {
        assertThat(Neighbours.of("b", ControlFixture.ring("a", "b", "c", "d"), ControlFixture.neighbour("a", 1)))
                .extracting(Neighbour::nodeId)
                .containsExactly("a", "c");
    }

    @Test
    void of_lastParticipant_isFollowedByTheFirst() {
        assertThat(Neighbours.of("d", ControlFixture.ring("a", "b", "c", "d"), ControlFixture.neighbour("b", 1)))
                .extracting(Neighbour::nodeId)
                .containsExactly("b", "a");
    }

    @Test
    void of_successorThatCoordinates_isHeldOnce() {
        assertThat(Neighbours.of("a", ControlFixture.ring("a", "b"), ControlFixture.neighbour("b", 1)))
                .extracting(Neighbour::nodeId)
                .containsExactly("b");
    }

    @Test
    void of_coordinator_isItsSuccessorOnly() {
        assertThat(Neighbours.of("a", ControlFixture.ring("a", "b", "c"), null))
                .extracting(Neighbour::nodeId)
                .containsExactly("b");
    }

    @Test
    void of_standby_isTheCoordinatorOnly() {
        assertThat(Neighbours.of("z", ControlFixture.ring("a", "b"), ControlFixture.neighbour("a", 1)))
                .extracting(Neighbour::nodeId)
                .containsExactly("a");
    }

    @Test
    void of_nodeAlone_isNobody() {
        assertThat(Neighbours.of("a", ControlFixture.ring("a"), null)).isEmpty();
        assertThat(Neighbours.of("a", List.of(), null)).isEmpty();
    }
}
