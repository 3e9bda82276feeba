/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.rendezvous.FailureHistory;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunVersion;
import dev.elasticrun.rendezvous.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunTrailTest {
    private static final long MILLI = 1_000_000L;
    private final RunTrail trail = new RunTrail(2, 10_000, 0);

    @Test
    void rounds_tellWhenEachPartWasReached() {
        event("work.published", 1, 5, Map.of());
        trail.seeRound(round(1, false, "start with 1 node"), 6 * MILLI);
        resumed(1, 0, 20);
        resumed(1, 1, 30);
        event("peer.lost", 1, 500, Map.of("slot", 0, "lost_round", 1));
        event("incident.paused", 2, 510, Map.of("paused_round", 1));
        event("work.published", 2, 512, Map.of());
        trail.seeRound(round(2, false, "worker failed on b"), 513 * MILLI);
        resumed(2, 0, 600);

        assertThat(trail.rounds()).hasSize(2);
        RoundSpan first = trail.rounds().get(0);
        assertThat(first.joined()).isTrue();
        assertThat(List.of(first.sealed(), first.published(), first.resumed(), first.broken(), first.paused()))
                .containsExactly(10_005L, 10_005L, 10_030L, 10_500L, 10_510L);
        RoundSpan second = trail.rounds().get(1);
        assertThat(second.published()).isEqualTo(10_512);
        assertThat(second.resumed()).as("one of two").isNull();
        assertThat(second.members()).containsExactly(new RoundSpan.Member("a-1", "a", 0, 2));
    }

    @Test
    void round_thatIsSuspended_isASpanOfItsOwn() {
        trail.seeRound(round(1, false, "start"), 0);
        trail.seeRound(round(1, true, "worker failed on a"), 100 * MILLI);
        trail.seeRound(round(1, true, "worker failed on a, waiting"), 110 * MILLI);
        trail.seeRound(round(2, false, "worker failed on a"), 200 * MILLI);

        assertThat(trail.rounds()).extracting(RoundSpan::suspended).containsExactly(false, true, false);
        assertThat(trail.rounds()).extracting(RoundSpan::sealed).containsExactly(10_000L, 10_100L, 10_200L);
    }

    @Test
    void round_thatGoesOnAfterAPauseOfItsOwn_isNotBrokenAnyMore() {
        begin();
        event("node.fenced", 1, 100, Map.of("working_round", 1));
        event("incident.paused", 1, 101, Map.of("paused_round", 1));
        event("work.published", 1, 400, Map.of());
        event("node.restored", 1, 401, Map.of("stalled", false));
        event("peer.lost", 1, 402, Map.of("slot", 0, "lost_round", 1, "answered", true));
        resumed(1, 0, 410);
        resumed(1, 1, 420);

        assertThat(trail.rounds()).hasSize(2);
        assertThat(trail.rounds().get(0).broken()).as("it did stop").isEqualTo(10_100);
        assertThat(trail.rounds().get(1).broken()).isNull();
        assertThat(trail.rounds().get(1).published()).isEqualTo(10_400);
        assertThat(trail.rounds().get(1).resumed()).isEqualTo(10_420);
    }

    @Test
    void lease_inDoubtWithoutAPause_isOverWhenItIsRenewed() {
        begin();
        event("node.fenced", 1, 100, Map.of("working_round", 1));
        event("node.restored", 1, 150, Map.of("stalled", false));

        assertThat(trail.rounds()).singleElement().satisfies(round -> assertThat(round.broken())
                .isNull());
    }

    @Test
    void peer_lostInAnEarlierRound_doesNotBreakTheNewestOne() {
        begin();
        trail.seeRound(round(2, false, "b joins"), 200 * MILLI);
        event("work.published", 2, 201, Map.of());
        event("peer.lost", 2, 202, Map.of("slot", 1, "lost_rank", 2, "lost_round", 1));

        assertThat(trail.rounds().get(1).broken()).isNull();

        event("peer.lost", 2, 300, Map.of("slot", 1, "lost_rank", 2, "lost_round", 2));

        assertThat(trail.rounds().get(1).broken()).isEqualTo(10_300);
    }

    private void begin() {
        trail.seeRound(round(1, false, "start"), 0);
        event("work.published", 1, 1, Map.of());
        resumed(1, 0, 2);
        resumed(1, 1, 3);
    }

    @Test
    void rounds_ofALongRun_areTheNewest() {
        for (int number = 1; number <= 200; number++) {
            trail.seeRound(round(number, false, "again"), number);
        }

        assertThat(trail.rounds())
                .hasSize(64)
                .last()
                .extracting(RoundSpan::number)
                .isEqualTo(200L);
    }

    private void resumed(long round, int slot, long millis) {
        event("worker.resumed", round, millis, Map.of("resumed_round", round, "slot", slot));
    }

    private void event(String kind, long round, long millis, Map<String, Object> fields) {
        trail.see(new Sighting(EventFields.parse(kind, fields), round, millis * MILLI));
    }

    private static Round round(long number, boolean suspended, String cause) {
        return new Round(
                number,
                1,
                suspended,
                List.of(new Participant("a-1", "a", "127.0.0.1", 1, "default", 1, 0, 0, 2, List.of(1, 2))),
                List.of(),
                "127.0.0.1",
                1,
                List.of(new Cause.Policy(cause)),
                WorldChange.NONE,
                List.of(),
                0,
                0,
                RunVersion.NONE,
                number,
                FailureHistory.NONE,
                0);
    }
}
