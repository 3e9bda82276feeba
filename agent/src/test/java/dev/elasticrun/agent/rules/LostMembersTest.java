/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Round;
import org.junit.jupiter.api.Test;

final class LostMembersTest {
    private static final Round FIRST =
            RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).build();

    @Test
    void someAreLeft_namesTheOthers() {
        Round next =
                RoundFixture.round(2).with("b", 0, 1).with("c", 0, 1).version(5).build();

        LostMembers lostMembers = LostMembers.NOBODY.in(next, FIRST);

        assertThat(lostMembers.nodes()).containsExactly("a");
        assertThat(lostMembers.causeOf(next)).isEqualTo("cause 2");
    }

    @Test
    void nobodyIsLeft_theCauseNamesVersionAndNodes() {
        Round next = RoundFixture.round(2).with("c", 0, 1).version(5).build();

        assertThat(LostMembers.NOBODY.in(next, FIRST).causeOf(next))
                .startsWith("cause 2; ")
                .endsWith(": a, b")
                .contains("version 5");
    }

    @Test
    void nothingWasCompleted_theCauseIsAsItWas() {
        Round next = RoundFixture.round(2).with("c", 0, 1).build();

        assertThat(LostMembers.NOBODY.in(next, FIRST).causeOf(next)).isEqualTo("cause 2");
    }

    @Test
    void suspendedBetween_whoeverWentSinceIsNamed() {
        Round suspended =
                RoundFixture.round(1).with("b", 0, 1).without("a").version(5).build();
        Round next = RoundFixture.round(2).with("c", 0, 1).version(5).build();

        LostMembers waiting = LostMembers.NOBODY.in(suspended, FIRST);
        assertThat(waiting).isEqualTo(LostMembers.NOBODY);
        assertThat(waiting.in(next, suspended).nodes()).containsExactly("b", "a");
    }

    @Test
    void agentThatCameLater_knowsNobody() {
        assertThat(LostMembers.NOBODY.in(FIRST, null)).isEqualTo(LostMembers.NOBODY);
    }

    @Test
    void sameRoundAgain_changesNothing() {
        Round next = RoundFixture.round(2).with("c", 0, 1).build();
        LostMembers lostMembers = LostMembers.NOBODY.in(next, FIRST);

        assertThat(lostMembers.in(next, next)).isEqualTo(lostMembers);
    }
}
