/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Workers that do not get ready for a round in time. */
final class ReadyTimeoutRulesTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void started_withALimit_isLookedAtWhenItHasPassed() {
        AgentFixture agent = inTime(false).apply(new AgentEvent.WorkerStarted(0, 1, 101));

        assertThat(agent.effects(AgentEffect.Schedule.class))
                .containsExactly(new AgentEffect.Schedule(LIMIT, new AgentEvent.ReadyExpired(0, 1)));
        assertThat(AgentFixture.soft(1)
                        .joined()
                        .apply(new AgentEvent.WorkerStarted(0, 0, 100))
                        .effects(AgentEffect.Schedule.class))
                .isEmpty();
    }

    @Test
    void notReady_soft_nodeStartsItsWorkersAgain_andBacksOffAtFive() {
        AgentFixture agent = inTime(false);
        for (int failures = 1; failures < 5; failures++) {
            agent.started().reports(0, new UpMessage.Ready(4000));
            agent.apply(new AgentEvent.ReadyExpired(agent.attempt(1), 1));
            assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
            assertThat(agent.last().reason()).contains("worker 1 ", "90000 ms (--ready-timeout)");
            agent.groupGone().later();
            assertThat(agent.generation()).isEqualTo(failures);
        }
        agent.started().apply(new AgentEvent.ReadyExpired(agent.attempt(1), 1)).groupGone();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);
    }

    @Test
    void notReady_softReplace_onlyThatWorkerIsKilled() {
        AgentFixture agent = inTime(true).started().reports(0, new UpMessage.Ready(4000));

        agent.apply(new AgentEvent.ReadyExpired(0, 1));

        assertThat(agent.effects(AgentEffect.KillWorker.class)).containsExactly(new AgentEffect.KillWorker(1, 0));
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.state().group().startFailures().own()).isEqualTo(1);
        assertThat(agent.state().toRecord(agent.settings, 1).failures())
                .singleElement()
                .extracting(Failure::kind)
                .isEqualTo(FailureKind.NO_ANSWER);
    }

    @Test
    void readyInTime_orAnEarlierAttempt_isLeftAlone() {
        AgentFixture agent = inTime(false).started().ready();

        assertThat(agent.apply(new AgentEvent.ReadyExpired(0, 1)).last().effects())
                .isEmpty();
        assertThat(agent.apply(new AgentEvent.ReadyExpired(7, 1)).last().effects())
                .isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
    }

    private static AgentFixture inTime(boolean replaces) {
        return AgentFixture.softInTime(replaces ? FailedWorker.IS_REPLACED : FailedWorker.STOPS_THE_NODE, 2, LIMIT)
                .joined();
    }
}
