/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
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

/** Who has another key than a run on an etcd is not let in, and cannot end it. */
@Timeout(120)
final class RunKeyE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void anotherKey_isRefusedToAgentsAndCommands() throws IOException {
        Path right = Files.writeString(run.directory().resolve("right"), "0123456789abcdef");
        Path wrong = Files.writeString(run.directory().resolve("wrong"), "0123456789abcdeF");
        AgentProcess member = run.agent(options(right), run.training(1200));
        run.awaitTogether(1, member);

        AgentProcess stranger = run.agent(options(wrong), run.training(1200));
        Command.Result stop = stop("--run-key-file", wrong.toString());

        assertThat(stranger.exitCode(TestRun.LIMIT)).as(stranger::console).isEqualTo(2);
        assertThat(stranger.output()).contains("--run-key-file: another key (expected: the file ", run.id());
        assertThat(stop.exitCode()).as(stop.output()).isEqualTo(2);
        assertThat(stop.output()).contains("--run-key-file: another key", run.id());

        run.hurryUp();
        assertThat(member.exitCode(TestRun.LIMIT)).as(member::console).isZero();
    }

    @Test
    @Tag("slow")
    void aKeyForARunWithAMintedOne_isRefused() throws IOException {
        Path given = Files.writeString(run.directory().resolve("given"), "0123456789abcdef");
        AgentProcess member = run.agent(run.onEtcd("--nnodes", "1:2"), run.training(1200));
        run.awaitTogether(1, member);

        AgentProcess other = run.agent(options(given), run.training(1200));

        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isEqualTo(2);
        assertThat(other.output()).contains("--run-key-file: another key (expected: none,", run.id());
        run.hurryUp();
        assertThat(member.exitCode(TestRun.LIMIT)).as(member::console).isZero();
    }

    private List<String> options(Path key) {
        return run.onEtcd("--nnodes", "1:2", "--run-key-file", key.toString());
    }

    private Command.Result stop(String... more) {
        List<String> command = new ArrayList<>(List.of(
                Project.LAUNCHER.toString(),
                "stop",
                "--run-id",
                run.id(),
                "--rdzv-endpoint",
                run.etcd().endpoint(),
                "--yes"));
        command.addAll(List.of(more));
        return Command.run(Map.of(), TestRun.LIMIT, command);
    }
}
