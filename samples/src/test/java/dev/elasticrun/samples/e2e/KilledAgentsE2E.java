/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.BusyProcessors;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Agents are killed at any moment of their lives, on busy processors, with Java workers and with scripts whose children
 * leave their group. That no process is left is checked after every test; here also ports and files.
 */
@Timeout(180)
final class KilledAgentsE2E {
    private static final String SCRIPT =
            "trap '' TERM HUP; touch \"$TMPDIR/a\"; sleep 600 & setsid -f sleep 600; echo there; wait";
    private static final Pattern STORE = Pattern.compile("store=127\\.0\\.0\\.1:(\\d+)");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void agents_killedForSixSeconds_leaveNothing() throws Exception {
        killFor(Duration.ofSeconds(6));
    }

    @Test
    @Tag("soak")
    void agents_killedForAMinute_leaveNothing() throws Exception {
        killFor(Duration.ofSeconds(60));
    }

    /** Three nodes of one run, whose workers exchange data and have children: one after the other is killed. */
    @Test
    @Tag("soak")
    void nodesOfOneRun_killedForAMinute_leaveNothing() throws Exception {
        long seed = Long.getLong("kill.seed", System.nanoTime());
        Random random = new Random(seed);
        List<AgentProcess> nodes = new ArrayList<>(List.of(node(), node(), node()));
        List<AgentProcess> killed = new ArrayList<>();
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() - end < 0) {
            if (random.nextInt(4) == 0) {
                nodes.forEach(agent -> agent.await(
                        "work", TestRun.LIMIT, log -> !log.resumedAfter(0).isEmpty()));
            }
            Patience.pause(Duration.ofMillis(random.nextInt(1500)));
            AgentProcess victim = nodes.remove(random.nextInt(nodes.size()));
            victim.jvm().destroyForcibly();
            victim.exitCode(TestRun.LIMIT);
            killed.add(victim);
            nodes.add(node());
        }
        // Only who sees no other node removes the keys of the run; of a killed one that may take a lease.
        run.awaitNodes(nodes.size());
        nodes.forEach(agent -> agent.signal("TERM"));
        nodes.forEach(agent ->
                assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(143));

        assertNothingIn(run.temporary(), seed, killed);
        assertThat(killed.stream()
                        .flatMap(agent -> agent.log().all("worker.ready").stream())
                        .map(event -> (int) event.number("port"))
                        .toList())
                .isNotEmpty()
                .allSatisfy(port -> assertThat(listening()).doesNotContain(port));
    }

    private AgentProcess node() {
        String children = "sleep 600 & setsid -f sleep 600; exec \"$@\"";
        List<String> program = new ArrayList<>(List.of("sh", "-c", children, "sh"));
        program.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar"));
        program.addAll(Project.training(100_000, 20));
        return run.agent(
                run.onEtcd(
                        "--nnodes",
                        "1:3",
                        "--restart-policy",
                        "soft",
                        "--max-restarts",
                        "1000",
                        "--lease-ttl",
                        "2s",
                        "--rejoin-back-off",
                        "0",
                        "--last-call-timeout",
                        "1s",
                        "--shutdown-timeout",
                        "5s"),
                program);
    }

    private static void assertNothingIn(Path temporary, long seed, List<AgentProcess> killed) {
        Patience.until(
                "temporary files to go, -Dkill.seed=" + seed + " with " + killed.size() + " agents",
                Duration.ofSeconds(5),
                () -> leftIn(temporary).isEmpty(),
                () -> leftIn(temporary).toString());
    }

    private void killFor(Duration time) throws Exception {
        long seed = Long.getLong("kill.seed", System.nanoTime());
        Random random = new Random(seed);
        List<AgentProcess> killed = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        try (BusyProcessors busy = BusyProcessors.start(1)) {
            while (System.nanoTime() - end < 0) {
                List<AgentProcess> pair = List.of(script(), training());
                if (killed.size() % 4 == 0) {
                    // Every other pair lives until it has workers, however busy the processors are.
                    pair.forEach(agent -> agent.await(
                            "workers", TestRun.LIMIT, log -> !log.running().isEmpty()));
                }
                Patience.pause(Duration.ofMillis(random.nextInt(1500)));
                for (AgentProcess agent : pair) {
                    agent.jvm().destroyForcibly();
                    agent.exitCode(TestRun.LIMIT);
                }
                killed.addAll(pair);
            }
            assertThat(busy.isBusy()).isTrue();
        }

        // Between its directory and its guard an agent is alone for a moment: the next one cleans up after it.
        AgentProcess last = run.agent(List.of("--standalone"), List.of("true"));
        assertThat(last.exitCode(TestRun.LIMIT)).as(last::console).isZero();
        assertNothingIn(run.temporary(), seed, killed);
        assertThat(ports(killed)).allSatisfy(port -> assertThat(listening()).doesNotContain(port));
        assertThat(killed.stream().filter(agent -> !agent.log().everStarted().isEmpty()))
                .as("agents that had workers, of " + killed.size())
                .isNotEmpty();
    }

    private AgentProcess script() {
        return run.agent(List.of("--standalone", "--nproc-per-node", "2"), List.of("sh", "-c", SCRIPT));
    }

    private AgentProcess training() {
        return run.agent(List.of("--standalone", "--restart-policy", "soft"), Project.training(10_000, 20));
    }

    private static List<Integer> ports(List<AgentProcess> agents) {
        return agents.stream()
                .map(agent -> STORE.matcher(agent.output()))
                .filter(Matcher::find)
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
    }

    /** Ports of all IPv4 and IPv6 sockets of this machine that listen: state 0A. */
    private static List<Integer> listening() throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            Path file = Path.of(table);
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] words = line.trim().split("\\s+", -1);
                if (words.length > 3 && words[3].equals("0A")) {
                    ports.add(Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }

    private static List<Path> leftIn(Path directory) {
        try (Stream<Path> left = Files.list(directory)) {
            return left.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
