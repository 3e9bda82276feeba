/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that is admitted when the others have nothing left to do with it continues without them. */
@Tag("once")
@Timeout(120)
final class LateNewcomerE2E {

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "soft-elastic"})
    void newcomer_membersEndBeforeTheyWorkWithIt_doesNotDialThem(String policy) {
        List<String> options = run.onEtcd(
                "--nnodes",
                "2:3",
                "--last-call-timeout",
                "200ms",
                "--nproc-per-node",
                "2",
                "--restart-policy",
                policy,
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                TailProgram.class.getName());
        List<String> program = List.of("samples/target/elastic-samples.jar");
        List<AgentProcess> members = List.of(run.agent(options, program), run.agent(options, program));
        members.forEach(member -> member.await(RunEvent.WorkerResumed.class));

        AgentProcess newcomer = run.agent(options, program);

        assertThat(newcomer.exitCode(TestRun.LIMIT)).as(newcomer::console).isZero();
        assertThat(members).allSatisfy(member -> assertThat(member.exitCode(TestRun.LIMIT))
                .as(member::console)
                .isZero());
        List<RunEvent.WorkPublished> rounds = newcomer.log().all(RunEvent.WorkPublished.class);
        assertThat(rounds.get(0).worldSize()).isEqualTo(6);
        RunEvent.WorkPublished last = rounds.get(rounds.size() - 1);
        assertThat(last.worldSize()).isEqualTo(2);
        assertThat(last.causes()).hasSize(1).first().isInstanceOf(Cause.WorkersDone.class);
        assertThat(newcomer.log().all(RunEvent.PeerLost.class)).isEmpty();
    }
}
