/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.backend.StoreProvider;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Agents that meet in a store of a kind that a user brings. */
final class OutsideStoreE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agents_meetInIt_recoverFromAKill_andAreFoundByIt() throws IOException {
        List<String> store = store(OutsideStore.NAME);
        List<String> options = new ArrayList<>(store);
        options.addAll(List.of("--nnodes", "1:2", "--restart-policy", "soft", "--last-call-timeout", "10s"));
        AgentProcess first = run.agent(options, run.training());
        AgentProcess second = run.agent(options, run.training());
        long together = run.awaitTogether(2, first, second);

        first.jvm().destroyForcibly();
        run.awaitTogether(together, 1, second);

        Command.Result status = elasticRun(store, "status", "--json");
        assertThat(status.exitCode()).as(status::output).isZero();
        assertThat(status.output()).contains(run.id(), second.nodeId().orElseThrow());
        run.hurryUp();
        assertThat(second.exitCode(TestRun.LIMIT)).as(second::console).isZero();
    }

    @Test
    void unknownStore_isRefused_withTheKnownOnes() throws IOException {
        AgentProcess agent = run.agent(store("ourside"), run.training());

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(2);
        assertThat(agent.output()).contains("--rdzv-backend: ourside (expected: one of auto, embedded, etcd, outside)");
    }

    private List<String> store(String backend) throws IOException {
        return List.of(
                "--run-id",
                run.id(),
                "--rdzv-backend",
                backend,
                "--rdzv-endpoint",
                OutsideStore.PREFIX + run.etcd().endpoint(),
                "--policy-path",
                OutsidePart.in(run.directory(), StoreProvider.class, OutsideStore.class)
                        .toString());
    }

    private Command.Result elasticRun(List<String> more, String... command) {
        List<String> line = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        line.addAll(List.of(command));
        line.addAll(more);
        return Command.run(Map.of("TMPDIR", run.temporary().toString()), TestRun.LIMIT, line);
    }
}
