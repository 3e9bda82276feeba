/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.ScriptedDeaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A run of {@link RecoverProgram} by ten workers, some of which die as a script sets. */
final class RecoverRun {
    static final int WORKERS = 10;

    private final TestRun run;
    private final String deaths;
    private final RecoverProgram.Keeping keeping;
    private final Path marks;
    private final List<AgentProcess> agents = new ArrayList<>();
    private long startNanos;
    private long tookNanos;

    RecoverRun(TestRun run, RecoverProgram.Keeping keeping, String deaths) {
        this.run = run;
        this.keeping = keeping;
        this.deaths = deaths;
        this.marks = run.directory().resolve("deaths");
    }

    /** @param elements of the first model; it grows by the number of workers in each iteration */
    RecoverRun start(int nodes, int elements, String... options) throws IOException {
        List<String> jvm = RecoverJvm.options(run, elements > 1000);
        Files.createDirectories(marks);
        startNanos = System.nanoTime();
        List<String> all = run.onEtcd(
                "--nproc-per-node",
                Integer.toString(WORKERS / nodes),
                "--last-call-timeout",
                "60s",
                "--env",
                ScriptedDeaths.DEATHS + "=" + deaths,
                "--env",
                ScriptedDeaths.DIRECTORY + "=" + marks);
        all.addAll(jvm);
        all.addAll(List.of(options));
        for (int i = 0; i < nodes; i++) {
            agents.add(run.agent(all, program(elements, keeping)));
        }
        return this;
    }

    static List<String> program(int elements, RecoverProgram.Keeping keeping) {
        return List.of("samples/target/elastic-samples.jar", Integer.toString(elements), keeping.name());
    }

    List<AgentProcess> agents() {
        return agents;
    }

    void awaitEnd() {
        for (AgentProcess agent : agents) {
            agent.exitCode(TestRun.LIMIT);
        }
        tookNanos = System.nanoTime() - startNanos;
    }

    /** For a table of times: from the start of the first agent to the end of the last one. */
    String row(String name, String dead, int elements) {
        return String.format(
                Locale.ROOT, "| %s | %s | %d | %d | %.1f |", name, dead, elements, processes(), tookNanos / 1e9);
    }

    /** Deaths of the script that happened, in its notation. */
    List<String> died() {
        return ScriptedDeaths.happened(marks);
    }

    List<String> lines(String beginning) {
        return agents.stream()
                .flatMap(agent -> agent.workerOutputs().stream())
                .flatMap(String::lines)
                .filter(line -> line.startsWith(beginning))
                .toList();
    }

    int processes() {
        return agents.stream()
                .mapToInt(agent -> agent.log().everStarted().size())
                .sum();
    }

    /** All that is left of the world has finished, and with the same history. */
    void assertDone(int world) {
        List<String> done = lines("done as ");
        assertThat(done).as(this::everything).hasSize(world);
        assertThat(done.stream().map(line -> line.replaceFirst("rank \\d+", "rank N")))
                .containsOnly(done.get(0).replaceFirst("rank \\d+", "rank N"));
        for (int rank = 0; rank < world; rank++) {
            int one = rank;
            assertThat(done).anyMatch(line -> line.startsWith("done as rank " + one + " of " + world + " "));
        }
    }

    private String everything() {
        return String.join("\n", agents.stream().map(AgentProcess::console).toList());
    }
}
