/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker whose program does not get there, and one whose process stands still: nobody waits for ever. */
@Timeout(120)
final class OperationTimeoutE2E {
    private static final List<String> TIMES =
            List.of("--lease-ttl", "2s", "--peer-timeout", "2900ms", "--operation-timeout", "3s");
    /** A peer that has answered, half of its time before the end of it, is not lost before the operation is over. */
    private static final List<String> LONGER =
            List.of("--lease-ttl", "3s", "--peer-timeout", "4s", "--operation-timeout", "5s");

    private static final Pattern ANSWERED =
            Pattern.compile("waiting for rank 1 of round 1, .* its process answers, so its program is awaited");
    private static final Pattern TIMED_OUT =
            Pattern.compile("CollectiveTimeoutException: allReduce\\(long\\[1\\], SUM\\) as operation 10 at "
                    + Pattern.quote(LateProgram.class.getName())
                    + "\\.main:\\d+ waited \\d{4,} ms for ranks \\[1\\] of round 1");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void programThatNeverCalls_endsTheRunNamingRankAndTime() {
        assertNamed("auto");
    }

    @Test
    @Tag("soak")
    void programThatNeverCalls_overTcp_endsTheRunNamingRankAndTime() {
        assertNamed("tcp");
    }

    private void assertNamed(String transport) {
        AgentProcess agent = late(
                TIMES, "--restart-policy", "hard", "--max-restarts", "0", "--env", "ELASTIC_TRANSPORT=" + transport);

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
        assertThat(agent.output()).containsPattern(TIMED_OUT);
    }

    /** A process that has answered when it was called, and stands still since, is waited for no longer either. */
    @Test
    @Tag("once")
    void processThatStandsStillOnceItHasAnswered_isNamedByTheOthers_andTheRunGoesOn() {
        AgentProcess agent =
                late(LONGER, "--restart-policy", "soft", "--pause-timeout", "1s", "--shutdown-timeout", "1s");
        agent.await(
                "an answer to both peers",
                TestRun.LIMIT,
                log -> ANSWERED.matcher(agent.output()).results().count() == 2);

        AgentProcess.send("STOP", agent.worker(agent.log().running().get(1).pid()));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.log().all("worker.failed"))
                .extracting(event -> event.text("message"))
                .anyMatch(message -> TIMED_OUT.matcher(message).find());
        assertThat(agent.output()).contains("added up by 3");
    }

    private AgentProcess late(List<String> times, String... more) {
        List<String> options = new ArrayList<>(times);
        options.addAll(List.of("--standalone", "--nproc-per-node", "3"));
        options.addAll(List.of(more));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                LateProgram.class.getName()));
        return run.agent(options, List.of("samples/target/elastic-samples.jar"));
    }
}
