/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.plan.PlannerConfig;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LossRehearsalTest {
    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft", "soft-replace", "soft-replace with spares", "soft-elastic"})
    void playOne_endsWithARoundWithoutTheLostNode(String name) {
        RestartPolicyStrategy policy = RestartPolicies.byNameOrClass("--restart-policy", name, "");
        Duration second = Duration.ofSeconds(1);
        PlannerConfig config = new PlannerConfig(
                LeaseTimes.of(Duration.ofSeconds(10)),
                new RoundTimes(Duration.ofMinutes(10), Duration.ofSeconds(30), second, second, second, second));
        LossRehearsal rehearsal = new LossRehearsal(
                config,
                RunSpecs.of("i", RunSpecs.terms(2, 2, name, 0)),
                policy,
                NodeFixture.of("n", 1).slots(2).record());

        List<Round> rounds = rehearsal.playOne();

        Round last = rounds.get(rounds.size() - 1);
        assertThat(rounds.get(0).participants()).hasSize(3);
        assertThat(last.suspended()).isFalse();
        assertThat(last.participants())
                .extracting(place -> place.nodeId())
                .containsExactly("rehearsal-1", "rehearsal-2");
    }
}
