/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Local states of four nodes by parity, of which nodes are lost with their agents, one after the other. */
@Tag("slow")
@Timeout(90)
final class LocalParityE2E {
    private static final int BYTES = 3_000_000;
    private static final Pattern STATE = Pattern.compile("(goes on with|has) the state of rank (\\d+), one of (\\d+)");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agentAndWorkerKilled_theStateIsWithASurvivorToTheLastBit() throws IOException {
        List<AgentProcess> agents = start("soft", "3:4");
        long round = run.awaitTogether(4, agents.toArray(AgentProcess[]::new));

        AgentProcess victim = agents.remove(1);
        awaitVersion("3", 4, List.of(victim));
        kill(victim);
        run.awaitTogether(round, 3, agents.toArray(AgentProcess[]::new));
        Files.createFile(end());

        assertEndedWell(agents);
        List<String> outputs =
                agents.stream().flatMap(agent -> agent.workerOutputs().stream()).toList();
        assertThat(outputs).hasSize(3).allMatch(output -> output.contains("done at version "));
        assertThat(outputs)
                .filteredOn(output -> output.contains("has the state of rank "))
                .hasSize(1);
        assertThat(agents)
                .anyMatch(agent -> agent.saved("stderr.log").stream().anyMatch(log -> log.contains("from parity: ")));
    }

    @Test
    void soft_threeNodesKilledInTurn_noStateIsLost() throws IOException {
        List<AgentProcess> agents = start("soft", "1:4");
        long round = killTwoBeforeTheNextVersion(agents);
        awaitVersion("\\d+", 2, agents);

        kill(agents.remove(0));
        run.awaitTogether(round, 1, agents.get(0));
        awaitStates(1, agents, 0, 1);
        Files.createFile(end());

        assertEndedWell(agents);
    }

    @Test
    void hard_twoNodesKilledInTurn_theStatesAreComputedFromTheFilesOfTheOthers() throws IOException {
        List<AgentProcess> agents = start("hard", "1:4");
        killTwoBeforeTheNextVersion(agents);
        Files.createFile(end());

        assertEndedWell(agents);
    }

    /** The second is the one that was given the state of the first: both are computed from what the last two have. */
    private long killTwoBeforeTheNextVersion(List<AgentProcess> agents) throws IOException {
        long round = run.awaitTogether(4, agents.toArray(AgentProcess[]::new));
        awaitVersion("3", 4, agents);
        Files.createFile(hold());

        kill(agents.remove(1));
        round = run.awaitTogether(round, 3, agents.toArray(AgentProcess[]::new));
        awaitStates(3, agents, 0, 1, 2, 3);

        AgentProcess adopter = agents.stream()
                .filter(agent ->
                        states(agent, 3).anyMatch(state -> state.group(1).equals("has")))
                .findFirst()
                .orElseThrow();
        agents.remove(adopter);
        kill(adopter);
        Files.delete(hold());
        round = run.awaitTogether(round, 2, agents.toArray(AgentProcess[]::new));
        awaitStates(2, agents, 0, 1, 2, 3);
        return round;
    }

    /** Until workers in a world of that size have compared the states of these ranks, all bits of them, and no others. */
    private static void awaitStates(int worldSize, List<AgentProcess> agents, Integer... ranks) {
        Supplier<List<Integer>> compared = () -> agents.stream()
                .flatMap(agent -> states(agent, worldSize))
                .map(state -> Integer.valueOf(state.group(2)))
                .distinct()
                .sorted()
                .toList();
        Patience.until(
                "states of all ranks in a world of " + worldSize,
                TestRun.LIMIT,
                () -> compared.get().equals(List.of(ranks)),
                () -> compared.get() + agents.get(0).console());
    }

    private static Stream<MatchResult> states(AgentProcess agent, int worldSize) {
        return agent.workerOutputs().stream()
                .flatMap(output -> STATE.matcher(output).results())
                .filter(state -> state.group(3).equals(String.valueOf(worldSize)));
    }

    /** @param version which, as a regular expression */
    private static void awaitVersion(String version, int worldSize, List<AgentProcess> agents) {
        Pattern kept = Pattern.compile("keeps version " + version + ", one of " + worldSize);
        for (AgentProcess agent : agents) {
            Patience.until(
                    kept.pattern(),
                    TestRun.LIMIT,
                    () -> agent.workerOutputs().stream()
                            .anyMatch(output -> kept.matcher(output).find()),
                    agent::console);
        }
    }

    private static void kill(AgentProcess victim) {
        ProcessHandle worker = victim.worker(victim.log().running().get(0).pid());
        victim.jvm().destroyForcibly();
        worker.destroyForcibly();
    }

    private static void assertEndedWell(List<AgentProcess> agents) {
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("state.local_lost")).isEmpty();
        }
    }

    private Path end() {
        return run.directory().resolve("end");
    }

    private Path hold() {
        return run.directory().resolve("hold");
    }

    private List<AgentProcess> start(String policy, String nnodes) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", nnodes, "--lease-ttl", "2s"));
        options.addAll(List.of("--restart-policy", policy, "--checkpoint-parity", "4", "--last-call-timeout", "60s"));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                LocalStateProgram.class.getName()));
        List<String> program = List.of(
                "samples/target/elastic-samples.jar", String.valueOf(BYTES), end().toString(), hold().toString());
        return Stream.generate(() -> run.agent(options, program))
                .limit(4)
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
