/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.NetworkNode;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Over an etcd, an agent without a setting of encryption does as the run does, on hosts of their own. */
@Tag("slow")
@Timeout(120)
final class AdoptedEncryptionE2E {
    private static final String[] NONE = {};
    private static final String[] LOOPBACK = {"--local-addr", "127.0.0.1"};

    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(2);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void second_wouldEncrypt_startsOverWithoutAndTrains() {
        AgentProcess first = train(0, "--insecure");
        first.await(RunEvent.RunJoined.class);

        AgentProcess second = train(1, NONE);
        run.awaitTogether(2, first, second);

        assertThat(second.hasStartedOver()).as(second::console).isTrue();
        assertThat(first.output()).contains("(--insecure)");
        assertThat(second.output()).contains("(--insecure)");
        assertThat(status())
                .contains("encryption off", LAB.node(0).address(), LAB.node(1).address());
        assertEndsWell(first, second);
    }

    @Test
    void nobody_hasTheSetting_bothEncryptAndNoneStartsOver() {
        AgentProcess first = train(0, NONE);
        AgentProcess second = train(1, NONE);
        run.awaitTogether(2, first, second);

        assertThat(first.hasStartedOver()).as(first::console).isFalse();
        assertThat(second.hasStartedOver()).as(second::console).isFalse();
        assertThat(status()).contains("encryption on");
        assertEndsWell(first, second);
    }

    /** What listens at its loopback address only has nothing to encrypt by itself. */
    @Test
    void second_wouldNotEncrypt_startsOverWithEncryption() {
        List<String> program = List.of(
                "sh",
                "-c",
                "while ! [ -e \"$0\" ]; do sleep 0.1; done",
                run.hurry().toString());
        AgentProcess first = start(0, program, NONE);
        first.await(RunEvent.RunJoined.class);

        AgentProcess second = start(1, program, LOOPBACK);
        second.await(RunEvent.RunJoined.class);

        assertThat(second.hasStartedOver()).as(second::console).isTrue();
        assertThat(status()).contains("encryption on");
        run.hurryUp();
        assertThat(first.exitCode(TestRun.LIMIT)).as(first::console).isZero();
        assertThat(second.exitCode(TestRun.LIMIT)).as(second::console).isZero();
    }

    @Test
    void second_hasAnotherSetting_isRefusedAndTheRunGoesOn() {
        AgentProcess first = train(0, NONE);
        first.await(RunEvent.RunJoined.class);

        AgentProcess refused = train(1, "--insecure");

        assertThat(refused.exitCode(TestRun.LIMIT)).as(refused::console).isEqualTo(2);
        assertThat(refused.output()).contains("--tls: off (expected: on");
        AgentProcess second = train(1, NONE);
        run.awaitTogether(2, first, second);
        assertEndsWell(first, second);
    }

    private AgentProcess train(int node, String... more) {
        return start(node, run.training(1200), more);
    }

    private AgentProcess start(int node, List<String> program, String... more) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", "2", "--restart-policy", policy(program)));
        options.addAll(List.of(more));
        return run.agent(LAB.node(node), options, program);
    }

    /** A program that reports nothing cannot be in a round of the others. */
    private static String policy(List<String> program) {
        return program.get(0).equals("sh") ? "hard" : "soft";
    }

    private String status() {
        NetworkNode asking = LAB.node(0);
        List<String> command = new ArrayList<>(asking.enter());
        command.addAll(List.of(Project.LAUNCHER.toString(), "status", "--run-id", run.id()));
        Command.Result status = Command.run(Map.of(), TestRun.LIMIT, command);
        assertThat(status.exitCode()).as(status.output()).isZero();
        return status.output();
    }

    private void assertEndsWell(AgentProcess... agents) {
        run.hurryUp();
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                .isGreaterThanOrEqualTo(0.95));
    }
}
