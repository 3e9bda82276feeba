/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a newcomer types first, word for word as the README has it. */
@Timeout(120)
final class ReadmeE2E {
    private static final Pattern FIRST_COMMAND =
            Pattern.compile("\\n## Quick start\\n.*?\\n```sh\\n(.*?)\\n```", Pattern.DOTALL);
    private static final Pattern DEMO = Pattern.compile("\\n```sh\\n([^\\n]*) &\\n[^`]*\\nkill -9 PID\\n[^`]*\\n```");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void quickStart_asItIsWritten_trains() throws IOException {
        Matcher readme = FIRST_COMMAND.matcher(Files.readString(Project.ROOT.resolve("README.md")));
        assertThat(readme.find()).as("a quick start with a command").isTrue();

        Command.Result result = Command.run(
                Map.of("TMPDIR", run.temporary().toString()), TestRun.LIMIT, List.of("sh", "-c", readme.group(1)));

        assertThat(result.exitCode()).as(result.output()).isZero();
        Matcher accuracy =
                Pattern.compile("accuracy ([0-9.]+) on \\d+ held-out rows").matcher(result.output());
        assertThat(accuracy.find()).as(result.output()).isTrue();
        assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThanOrEqualTo(0.95);
        assertThat(result.output()).contains("step 40/400 loss ", " world 4 round 1");
    }

    /** The headline: the processes of healthy workers stay. */
    @Test
    @Tag("once")
    void demo_whoseWorkerIsKilled_keepsAllOtherProcesses() throws IOException {
        Matcher demo = DEMO.matcher(Files.readString(Project.ROOT.resolve("README.md")));
        assertThat(demo.find()).as("a demo with a kill").isTrue();
        List<String> words = List.of(demo.group(1).split(" ", -1));
        int jar = words.indexOf("samples/target/elastic-samples.jar");
        List<String> options = words.subList(1, jar);

        AgentProcess agent = run.agent(options, run.training(1500));
        long round = run.awaitTogether(4, agent);
        run.awaitStep(40);
        List<Long> before = Recoveries.pids(agent);
        ProcessHandle victim = agent.worker(before.get(1));
        long kill = System.nanoTime();
        victim.destroyForcibly();
        run.awaitTogether(round, 4, agent);

        assertThat(Recoveries.pids(agent))
                .contains(before.get(0), before.get(2), before.get(3))
                .doesNotContain(before.get(1));
        run.awaitStep(run.lastStep() + 6);
        draw(agent.log().everything(), kill, System.nanoTime());
        run.hurryUp();
        assertThat(agent.exitCode(TestRun.LIMIT)).isZero();
    }

    private static void draw(List<LoggedEvent> events, long kill, long end) throws IOException {
        String light = TimelinePicture.svg(events, kill, end, TimelinePicture.Colours.LIGHT);
        String dark = TimelinePicture.svg(events, kill, end, TimelinePicture.Colours.DARK);
        assertThat(light).contains("round 1: 4 workers", ": 3 workers");
        String directory = System.getProperty("readme.pictures", "");
        if (!directory.isEmpty()) {
            Files.writeString(Path.of(directory, "killed-worker-light.svg"), light);
            Files.writeString(Path.of(directory, "killed-worker-dark.svg"), dark);
        }
    }
}
