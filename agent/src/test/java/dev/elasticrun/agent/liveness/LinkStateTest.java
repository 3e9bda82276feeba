/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.liveness.DialAnswer.Kind;
import dev.elasticrun.agent.liveness.LinkState.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which sequences of events prove a death, and which do not. */
final class LinkStateTest {
    private static final NodeLife OTHER = new NodeLife("b", "10.0.0.2", 9000, 40, 7, false);
    private static final NodeLife LEASE_ONLY = new NodeLife("b", "10.0.0.2", 9000, 40, 7, true);

    @Test
    void ended_afterItWasReached_isProvedByTwoRefusalsSomeTimeApart() {
        LinkState suspect = LinkState.open().reached(OTHER).ended();

        assertThat(suspect.phase()).isEqualTo(Phase.SUSPECT);
        assertThat(suspect.nextLook()).contains(Duration.ZERO);
        LinkState refused = suspect.looked(Kind.REFUSED);
        assertThat(refused.phase()).isEqualTo(Phase.SUSPECT);
        assertThat(refused.nextLook()).contains(LinkState.REFUSALS_APART);
        assertThat(refused.looked(Kind.REFUSED)).isEqualTo(new LinkState(Phase.PROVED, OTHER, 0, false));
    }

    @Test
    void ended_beforeItWasReached_asksNobody() {
        assertThat(LinkState.open().ended()).isEqualTo(LinkState.open());
    }

    @Test
    void ended_afterAGoodbye_asksNobody() {
        assertThat(LinkState.open().reached(OTHER).goodbye().ended()).isEqualTo(LinkState.open());
    }

    @Test
    void looked_refusedWithoutAnEndedConnection_provesNothing() {
        assertThat(LinkState.open().looked(Kind.REFUSED)).isEqualTo(LinkState.open());
        assertThat(LinkState.open().reached(OTHER).looked(Kind.REFUSED).phase()).isEqualTo(Phase.WATCHED);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWERED", "SILENT"})
    void looked_suspectThatDoesNotRefuse_isAskedLessOftenAndThenLeftToItsLease(Kind answer) {
        LinkState suspect = LinkState.open().reached(OTHER).ended();
        Duration waited = Duration.ZERO;

        while (suspect.nextLook().isPresent()) {
            waited = waited.plus(suspect.nextLook().get());
            suspect = suspect.looked(answer);
        }

        assertThat(suspect).isEqualTo(LinkState.open());
        assertThat(waited).isBetween(Duration.ofMillis(500), Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWERED", "SILENT"})
    void looked_somethingRefusedForAMoment_provesNothing(Kind answer) {
        LinkState suspect =
                LinkState.open().reached(OTHER).ended().looked(Kind.REFUSED).looked(answer);

        assertThat(suspect.phase()).isEqualTo(Phase.SUSPECT);
        assertThat(suspect.looked(Kind.REFUSED).phase()).isEqualTo(Phase.SUSPECT);
    }

    @Test
    void looked_suspectThatStillAnswered_isProvedByALaterRefusal() {
        LinkState suspect = LinkState.open().reached(OTHER).ended().looked(Kind.ANSWERED);

        assertThat(suspect.looked(Kind.REFUSED).looked(Kind.REFUSED).phase()).isEqualTo(Phase.PROVED);
    }

    @Test
    void reached_suspectAgain_isWatchedAgain() {
        LinkState again = LinkState.open().reached(OTHER).ended().reached(OTHER);

        assertThat(again).isEqualTo(LinkState.open().reached(OTHER));
        assertThat(again.looked(Kind.REFUSED).phase()).isEqualTo(Phase.WATCHED);
    }

    @Test
    void introduced_addressThatAnswers_isWatched() {
        LinkState introduced = LinkState.open().introduced(OTHER);

        assertThat(introduced.nextLook()).contains(Duration.ZERO);
        assertThat(introduced.looked(Kind.ANSWERED)).isEqualTo(LinkState.open().reached(OTHER));
    }

    @Test
    void introduced_addressThatNeverAnswered_provesNothingByRefusing() {
        LinkState introduced = LinkState.open().introduced(OTHER);

        assertThat(introduced.ended()).isEqualTo(LinkState.open());
        while (introduced.nextLook().isPresent()) {
            introduced = introduced.looked(Kind.REFUSED);
        }
        assertThat(introduced.phase()).isEqualTo(Phase.UNWATCHED);
        assertThat(introduced.ended()).isEqualTo(LinkState.open());
    }

    @Test
    void ended_nodeThatCameBackAfterARevoke_isJudgedByItsLease() {
        assertThat(LinkState.open().reached(LEASE_ONLY).ended()).isEqualTo(LinkState.open());
        assertThat(LinkState.open().introduced(LEASE_ONLY).looked(Kind.ANSWERED).ended())
                .isEqualTo(LinkState.open());
    }

    @Test
    void proved_anythingElse_staysProved() {
        LinkState proved =
                LinkState.open().reached(OTHER).ended().looked(Kind.REFUSED).looked(Kind.REFUSED);

        assertThat(proved.ended()).isEqualTo(proved);
        assertThat(proved.goodbye()).isEqualTo(proved);
        assertThat(proved.looked(Kind.ANSWERED)).isEqualTo(proved);
    }
}
