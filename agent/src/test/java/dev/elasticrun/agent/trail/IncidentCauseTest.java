/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IncidentCauseTest {
    @ParameterizedTest
    @CsvSource({
        "worker failed on host-1; 1 node joins, worker_failed",
        "lost host-1 and host-2, node_lost",
        "leaving host-1, node_left",
        "left out host-1, node_left_out",
        "fenced host-1, node_fenced",
        "workers lost peers whose nodes are alive, link_broken",
        "2 nodes join, node_joined",
        "start with 1 node, other",
    })
    void of_causeOfARound_isOneOfFew(String cause, String label) {
        assertThat(IncidentCause.of(cause).label()).isEqualTo(label);
    }
}
