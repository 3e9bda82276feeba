/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents and commands of this version and of the one before it in one run, by a real etcd. */
@Timeout(900)
final class UpgradeIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern RESULT = Pattern.compile("accuracy .*?; loss [0-9.]+; steps \\d+");
    private static final int STEPS = 300;

    private static Path directory;
    private static Installation installation;
    private static Path former;
    private static EtcdProcess etcd;

    @BeforeAll
    static void prepare() throws IOException, InterruptedException {
        former = FormerVersion.command(Product.VERSION);
        directory = Product.directory("upgrade-");
        installation = Product.unpack(Product.archive(), directory);
        etcd = EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")));
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        etcd.close();
        Product.delete(directory);
    }

    private static Path current() {
        return installation.home().resolve("bin/elastic-run");
    }

    private static UserProcess agent(Path command, String run) throws IOException {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of("--nnodes", "2", "--run-id", run, "--rdzv-endpoint", etcd.endpoint()));
        line.addAll(List.of("--restart-policy", "soft-replace", "--log-dir"));
        line.add(directory.resolve("logs").toString());
        line.add(installation.samples().resolve("elastic-samples.jar").toString());
        line.addAll(List.of("train", "--data"));
        line.add(installation.samples().resolve("breast-cancer.csv").toString());
        line.addAll(List.of("--steps", Integer.toString(STEPS), "--step-millis", "20", "--report-every", "1"));
        return UserProcess.of(directory, line);
    }

    /** What both print together is waited for: the worker of rank 0 reports. */
    private static void await(String what, Pattern pattern, UserProcess... agents) {
        Patience.until(what, LIMIT, () -> pattern.matcher(output(agents)).find(), () -> output(agents));
    }

    private static String output(UserProcess... agents) {
        StringBuilder all = new StringBuilder();
        for (UserProcess agent : agents) {
            all.append(agent.out()).append(agent.err());
        }
        return all.toString();
    }

    private static String result(UserProcess... agents) {
        Matcher matcher = RESULT.matcher(output(agents));
        assertThat(matcher.find()).as(() -> output(agents)).isTrue();
        return matcher.group();
    }

    private static void assertEndWell(UserProcess... agents) throws InterruptedException {
        for (UserProcess agent : agents) {
            assertThat(agent.exitCode()).as(agent.out() + agent.err()).isZero();
        }
    }

    private static String undisturbed() throws Exception {
        try (UserProcess first = agent(current(), "undisturbed");
                UserProcess second = agent(current(), "undisturbed")) {
            assertEndWell(first, second);
            return result(first, second);
        }
    }

    /** @param first starts the run, and coordinates it */
    private static void assertWorkTogether(Path first, Path second, String run) throws Exception {
        try (UserProcess one = agent(first, run)) {
            Patience.until(
                    "the first agent's record",
                    LIMIT,
                    () -> etcd.ctl("get", "--prefix", "--keys-only", "/elastic-run/v1/" + run + "/nodes/")
                            .contains(run),
                    one::err);
            try (UserProcess other = agent(second, run)) {
                await("both work", Pattern.compile(" world 2 round 1\\b"), one, other);
                assertStatusOfBoth(run);
                other.worker(0).destroyForcibly();
                await("both work again", Pattern.compile(" world 2 round [2-9]\\b"), one, other);
                assertEndWell(one, other);
                assertThat(result(one, other)).isEqualTo(undisturbed());
            }
        }
    }

    /** By commands of both versions. */
    private static void assertStatusOfBoth(String run) throws Exception {
        for (Path command : List.of(current(), former)) {
            try (UserProcess status = UserProcess.of(
                    directory,
                    List.of(
                            command.toString(),
                            "status",
                            "--json",
                            "--run-id",
                            run,
                            "--rdzv-endpoint",
                            etcd.endpoint()))) {
                assertThat(status.exitCode()).as(status.err()).isZero();
                assertThat(status.out()).contains("\"world_size\" : 2").doesNotContain("\"answered\" : false");
            }
        }
    }

    @Test
    void agentOfThisVersion_inARunOfTheFormer_worksWithIt() throws Exception {
        assertWorkTogether(former, current(), "former-first");
    }

    @Test
    void agentOfTheFormerVersion_inARunOfThis_worksWithIt() throws Exception {
        assertWorkTogether(current(), former, "former-second");
    }

    @Test
    void agentOfThisVersion_inARunWithAnotherSchema_isRefusedWithBoth() throws Exception {
        // Field 1, the schema, is 99; field 15, the version, is 9.9.9. A run without a node would be one that has
        // ended.
        String run = "/elastic-run/v1/newer/";
        etcd.ctl("put", run + "spec", "\u0008c" + "z\u0005" + "9.9.9");
        etcd.ctl("put", run + "nodes/of-9.9.9", "a node");

        try (UserProcess agent = agent(current(), "newer")) {
            assertThat(agent.exitCode()).as(agent.err()).isEqualTo(2);
            assertThat(agent.err())
                    .contains(
                            "was started by elastic-run 9.9.9 with the stored schema spec 99 (expected: spec ",
                            "which elastic-run " + Product.VERSION
                                    + " has; start this node with the version of the run");
        }
        assertThat(etcd.ctl("get", "--prefix", "--keys-only", run))
                .isEqualToIgnoringWhitespace(run + "nodes/of-9.9.9 " + run + "spec");
        try (UserProcess status = UserProcess.of(
                directory,
                List.of(current().toString(), "status", "--run-id", "newer", "--rdzv-endpoint", etcd.endpoint()))) {
            assertThat(status.exitCode()).isEqualTo(2);
            assertThat(status.err()).contains("elastic-run 9.9.9", "elastic-run " + Product.VERSION);
        }
    }
}
