/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.proto.CommandReply;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.CommandStage;
import dev.elasticrun.proto.RestartWorkers;
import dev.elasticrun.proto.ScaleRun;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two agents with two workers each on a real etcd, with page, metrics and checkpoints, which commands lead from round to
 * round without a pause: what they hold stays flat. Ends after {@code -Dsoak.events=N} events, or after
 * {@code -Dsoak.minutes=N}; {@code -Dsoak.directory=DIR} keeps {@code soak.csv} and {@code soak.svg}.
 */
@Tag("soak")
@Timeout(value = 1, unit = TimeUnit.DAYS)
final class SoakE2E {
    private static final long EVENTS = Long.getLong("soak.events", 100_000);
    private static final Duration LONGEST = Duration.ofMinutes(Long.getLong("soak.minutes", 60));
    private static final String DIRECTORY = System.getProperty("soak.directory", "target");
    private static final Duration SAMPLE_EVERY = Duration.ofSeconds(Long.getLong("soak.sample.seconds", 10));
    /** New processes for all workers, every so many commands. */
    private static final int RESTART_EVERY = Integer.getInteger("soak.restart.every", 500);

    private static final long HEAP_KB = 8 << 10;
    private static final long RSS_KB = 48 << 10;
    private static final long FEW = 12;
    private static final long EVENT_BYTES = 4L * (16 << 20) + (1 << 20);
    private static final long RUN_BYTES = 1 << 20;
    private static final long CHECKPOINT_BYTES = 1 << 20;
    /** Incidents and commands of the run that are kept, and a few. */
    private static final long KEYS = 1000 + 32 + 40;

    private static final long ETCD_BYTES = 8 << 20;

    @RegisterExtension
    final TestRun run = new TestRun();

    private final List<Sample> samples = new ArrayList<>();
    private final List<Probe> probes = new ArrayList<>();
    private int commands;
    private long round;

    @Test
    void roundAfterRound_whatAgentsHoldStaysFlat() throws Exception {
        Path checkpoints = Files.createDirectory(run.directory().resolve("checkpoints"));
        try (EtcdProcess etcd = EtcdProcess.start(
                run.directory().resolve("etcd"),
                "--auto-compaction-mode=revision",
                "--auto-compaction-retention=1000")) {
            AgentProcess[] agents = {start(etcd, checkpoints), start(etcd, checkpoints)};
            run.awaitTogether(4, agents);
            for (AgentProcess agent : agents) {
                probes.add(new Probe(agent, runDirectory(agent), run.directory().resolve("collect")));
            }
            soak(etcd, checkpoints);
            assertFlat();
            for (AgentProcess agent : agents) {
                agent.signal("TERM");
                assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(143);
            }
        }
    }

    private AgentProcess start(EtcdProcess etcd, Path checkpoints) {
        return run.agent(
                List.of(
                        "--rdzv-endpoint",
                        etcd.endpoint(),
                        "--run-id",
                        run.id(),
                        "--nnodes",
                        "1:2",
                        "--nproc-per-node",
                        "2",
                        "--restart-policy",
                        "soft",
                        "--lease-ttl",
                        "10s",
                        "--max-restarts",
                        "1000000",
                        "--last-call-timeout",
                        "1s",
                        "--checkpoint-dir",
                        checkpoints.toString(),
                        "--checkpoint-every",
                        "100",
                        "--dashboard-port",
                        "0",
                        "--metrics-port",
                        "0",
                        "--no-console"),
                Project.training(Integer.MAX_VALUE, 20, "--report-every", "1000"));
    }

    private Path runDirectory(AgentProcess agent) throws IOException {
        String node = agent.nodeId().orElseThrow();
        return run.runDirectories().stream()
                .filter(path -> path.endsWith(node))
                .findFirst()
                .orElseThrow();
    }

    private void soak(EtcdProcess etcd, Path checkpoints) throws Exception {
        LocalRuns.LocalRun asked = LocalRuns.find(run.id()).get(0);
        long began = System.nanoTime();
        long sampled = began;
        try (ControlClient client = new ControlClient(
                asked.file().control(), asked.key(), asked.file().encryption())) {
            look(began, etcd, checkpoints);
            while (newest().events() < EVENTS && System.nanoTime() - began < LONGEST.toNanos()) {
                steer(client);
                if (System.nanoTime() - sampled > SAMPLE_EVERY.toNanos()) {
                    look(began, etcd, checkpoints);
                    sampled = System.nanoTime();
                }
            }
            look(began, etcd, checkpoints);
        }
    }

    /** One node leaves the round, or comes back, with its workers; now and then all workers are started anew. */
    private void steer(ControlClient client) {
        commands++;
        CommandRequest.Builder request = CommandRequest.newBuilder()
                .setRequestId(UUID.randomUUID().toString())
                .setAskedBy("soak");
        if (commands % RESTART_EVERY == 0) {
            request.setRestart(RestartWorkers.getDefaultInstance());
        } else {
            request.setScale(ScaleRun.newBuilder().setMinNodes(1).setMaxNodes(1 + commands % 2));
        }
        Iterator<CommandReply> replies = client.blocking(TestRun.LIMIT).command(request.build());
        CommandReply last = CommandReply.getDefaultInstance();
        while (replies.hasNext()) {
            last = replies.next();
        }
        assertThat(last.getStage()).as(last.getText()).isEqualTo(CommandStage.COMMAND_STAGE_DONE);
        round = last.getRound();
    }

    private void look(long began, EtcdProcess etcd, Path checkpoints) throws IOException {
        Map<String, Long> values = new HashMap<>();
        long events = 0;
        for (int i = 0; i < probes.size(); i++) {
            probes.get(i).into(values, i == 0 ? "a" : "b");
            events += probes.get(i).events();
        }
        String metrics = metrics(etcd);
        values.put("checkpoint_bytes", Probe.bytes(checkpoints, path -> true));
        values.put("etcd_keys", number(metrics, "etcd_debugging_mvcc_keys_total"));
        values.put("etcd_bytes_in_use", number(metrics, "etcd_mvcc_db_total_size_in_use_in_bytes"));
        values.put("etcd_bytes", number(metrics, "etcd_mvcc_db_total_size_in_bytes"));
        samples.add(new Sample((System.nanoTime() - began) / 1_000_000_000L, round, events, values));
        write();
    }

    private void write() throws IOException {
        Path directory = Files.createDirectories(Path.of(DIRECTORY));
        List<String> lines = new ArrayList<>(List.of(Sample.header()));
        samples.forEach(sample -> lines.add(sample.line()));
        Files.write(directory.resolve("soak.csv"), lines);
        Files.writeString(directory.resolve("soak.svg"), SoakPlot.svg(samples));
    }

    /** From the middle on, when pools and what is kept of the newest are full, nothing grows. */
    private void assertFlat() {
        for (String letter : List.of("a_", "b_")) {
            assertGrowth(letter + "heap_kb", HEAP_KB);
            assertGrowth(letter + "rss_kb", RSS_KB);
            assertGrowth(letter + "descriptors", FEW);
            assertGrowth(letter + "threads", FEW);
            assertGrowth(letter + "run_directory_bytes", RUN_BYTES);
            assertMost(letter + "event_bytes", EVENT_BYTES);
        }
        assertGrowth("checkpoint_bytes", CHECKPOINT_BYTES);
        assertMost("etcd_keys", KEYS);
        assertGrowth("etcd_bytes_in_use", ETCD_BYTES);
    }

    /** By medians of quarters: a sample may meet a recovery. */
    private void assertGrowth(String column, long most) {
        int quarter = samples.size() / 4;
        assertThat(median(column, 3 * quarter, samples.size()) - median(column, quarter, 2 * quarter))
                .as("growth of " + column)
                .isLessThan(most);
    }

    private long median(String column, int from, int to) {
        long[] sorted = samples.subList(from, Math.max(to, from + 1)).stream()
                .mapToLong(sample -> sample.value(column))
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    private void assertMost(String column, long most) {
        assertThat(samples).as(column).allSatisfy(sample -> assertThat(sample.value(column))
                .isLessThanOrEqualTo(most));
    }

    private Sample newest() {
        return samples.get(samples.size() - 1);
    }

    private static String metrics(EtcdProcess etcd) throws IOException {
        try (InputStream body =
                URI.create("http://" + etcd.endpoint() + "/metrics").toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long number(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("etcd does not report " + name));
    }
}
