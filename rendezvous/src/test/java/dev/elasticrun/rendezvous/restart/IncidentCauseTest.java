/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class IncidentCauseTest {
    private static final List<String> HOST = List.of("host-1");

    @ParameterizedTest
    @MethodSource("causes")
    void of_causesOfARound_isTheMostSevere(List<Cause> causes, IncidentCause word) {
        assertThat(IncidentCause.of(causes)).isEqualTo(word);
    }

    static Stream<Arguments> causes() {
        return Stream.of(
                Arguments.of(
                        List.of(new Cause.NodesJoined(1), new Cause.WorkersFailed(HOST)), IncidentCause.WORKER_FAILED),
                Arguments.of(List.of(new Cause.NodesLost(HOST)), IncidentCause.NODE_LOST),
                Arguments.of(
                        List.of(new Cause.NodesLeaving(HOST), new Cause.DrainCommanded()), IncidentCause.NODE_LEFT),
                Arguments.of(
                        List.of(new Cause.NodesExcluded(HOST), new Cause.LinkOf("host-1", "host-2")),
                        IncidentCause.NODE_LEFT_OUT),
                Arguments.of(List.of(new Cause.WorkersDone(HOST)), IncidentCause.WORKER_DONE),
                Arguments.of(List.of(new Cause.NodesFenced(HOST)), IncidentCause.NODE_FENCED),
                Arguments.of(List.of(new Cause.LinksBroken()), IncidentCause.LINK_BROKEN),
                Arguments.of(List.of(new Cause.RestartCommanded()), IncidentCause.COMMAND),
                Arguments.of(List.of(new Cause.NodesJoined(2)), IncidentCause.NODE_JOINED),
                Arguments.of(List.of(new Cause.Started(1)), IncidentCause.OTHER),
                Arguments.of(List.of(), IncidentCause.OTHER));
    }

    /** Its words are its own, whatever they remind of. */
    @Test
    void of_reasonOfAUsersPolicy_isOther() {
        Cause cause = new Cause.Policy("worker failed on host-1, so that all was lost by command");

        assertThat(IncidentCause.of(List.of(cause))).isEqualTo(IncidentCause.OTHER);
    }
}
