/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SshHosts;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Agents on hosts that real OpenSSH servers stand for. */
@Tag("once")
@Timeout(120)
final class SshE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void train_oneConnectionIsLost_theOtherHostWorksOnToTheEnd() throws Exception {
        try (SshHosts hosts = SshHosts.start(run.directory(), run.temporary(), 2)) {
            AgentProcess ssh = start(hosts, "127.0.0.2\n127.0.0.3 slots=2\n", "1:2");
            NodeLogs logs = new NodeLogs(ssh.logs(), () -> ssh.console() + hosts.logs());
            long round = logs.awaitTogether(0, 3);
            Map<String, List<Long>> both = logs.workers();

            SshHosts.client(ssh, SshHosts.address(1)).destroyForcibly();

            logs.awaitTogether(round, 1);
            assertThat(both).containsAllEntriesOf(logs.workers());
            run.hurryUp();
            assertThat(ssh.exitCode(TestRun.LIMIT)).as(ssh::console).isZero();
            assertThat(ssh.output())
                    .contains(
                            "elastic-run: the connection to 127.0.0.3 was lost; its agent leaves the run",
                            "[127.0.0.2] elastic-run: succeeded: ");
            Recoveries.assertTrained(Trained.in(logs.workerOutputs().stream()));
        }
    }

    @Test
    void train_terminated_drainsTheAgentsOfAllHosts() throws Exception {
        try (SshHosts hosts = SshHosts.start(run.directory(), run.temporary(), 2)) {
            AgentProcess ssh = start(hosts, "127.0.0.2\n127.0.0.3\n", "2");
            NodeLogs logs = new NodeLogs(ssh.logs(), () -> ssh.console() + hosts.logs());
            logs.awaitTogether(0, 2);

            ssh.signal("TERM");

            assertThat(ssh.exitCode(TestRun.LIMIT)).as(ssh::console).isEqualTo(143);
            assertThat(logs.workers()).isEmpty();
        }
    }

    @Test
    void train_hostThatCannotBeReached_isNamedAndNothingIsLeft() throws Exception {
        try (SshHosts hosts = SshHosts.start(run.directory(), run.temporary(), 1)) {
            AgentProcess ssh = start(hosts, "127.0.0.2\n127.0.0.9\n", "2");

            assertThat(ssh.exitCode(TestRun.LIMIT)).as(ssh::console).isEqualTo(2);
            assertThat(ssh.output())
                    .contains(
                            "[127.0.0.9] ssh: connect to host 127.0.0.9 port ",
                            "elastic-run: no agent on 127.0.0.9 (expected: a login by ssh without a password)",
                            "elastic-run: 1 of at least 2 nodes are left; ending them");
        }
    }

    private AgentProcess start(SshHosts hosts, String file, String nodes) throws IOException {
        Path names = Files.writeString(run.directory().resolve("hosts"), file);
        List<String> options =
                new ArrayList<>(List.of("ssh", "--hosts", names.toString(), "--launcher", Project.LAUNCHER.toString()));
        options.addAll(hosts.options());
        options.addAll(List.of(
                "--run-id",
                run.id(),
                "--nnodes",
                nodes,
                "--rdzv-backend",
                "embedded",
                "--rdzv-endpoint",
                SshHosts.address(0) + ":" + FreePort.find(),
                "--restart-policy",
                "soft"));
        return run.agent(hosts.environment(), options, run.training());
    }
}
