/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.metrics.MetricsRegistry;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.proto.Metric;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of an agent with two workers, of a run that is made up. */
final class MetricsFixture {
    private static final Pattern SAMPLE = Pattern.compile("^([a-z_]+)\\{([^}]*)} ", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    private final AgentContext context;
    final AgentMetrics metrics;
    final RunObserver observer;
    private final MetricsRegistry<?> registry;
    private long nanos = TimeUnit.SECONDS.toNanos(100);

    MetricsFixture(Path logs) {
        context = AgentContext.of(
                LaunchConfig.builder("/bin/echo")
                        .standalone(true)
                        .runId("job")
                        .nprocPerNode(2)
                        .logDir(logs)
                        .console(false)
                        .build(),
                nanos);
        metrics = new AgentMetrics(context, () -> nanos);
        observer = new RunObserver(context.nodeId(), 0, () -> nanos, metrics);
        observer.onState(AgentFixture.soft(2).working().state());
        registry = metrics.open(new AgentMetrics.Sources(
                observer,
                () -> CompletableFuture.completedFuture(run()),
                () -> CompletableFuture.completedFuture(own()),
                () -> 2));
    }

    void pass(double seconds) {
        nanos += Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    }

    long nanos() {
        return nanos;
    }

    MetricsRegistry.Page page(String accept) {
        return registry.scrape(accept);
    }

    String text(String accept) {
        return new String(page(accept).text(), StandardCharsets.UTF_8);
    }

    /** Names of the labels of all that is exported, by the name in a scrape. */
    Map<String, Set<String>> labels() {
        Map<String, Set<String>> labels = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(text(""));
        while (sample.find()) {
            Matcher label = LABEL.matcher(sample.group(2));
            while (label.find()) {
                labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>()).add(label.group(1));
            }
        }
        return labels;
    }

    /** As it stands in a scrape, with its labels in order. */
    String sample(String name, String labels, String value) {
        return String.format(
                Locale.ROOT, "%s{%s} %s\n", name, labels.replace("NODE", "node=\"" + context.nodeId() + "\""), value);
    }

    private static RunDescription run() {
        return new RunDescription(
                "job",
                "incarnation",
                RunSpecs.terms(1, 3, "soft", 5),
                List.of(node("a", NodePhase.ACTIVE), node("b", NodePhase.ACTIVE), node("c", NodePhase.STANDBY)),
                null,
                "a");
    }

    private static NodeRecord node(String nodeId, NodePhase phase) {
        return NodeRecords.of(nodeId, nodeId, "127.0.0.1", 1, 2, phase, List.of());
    }

    private static NodeReply own() {
        return NodeReply.newBuilder()
                .addWorkers(worker(0, 2, 1234))
                .addWorkers(worker(1, 3, 1233))
                .addWorkers(worker(2, -1, 9))
                .build();
    }

    private static WorkerStatus worker(int slot, int rank, long step) {
        return WorkerStatus.newBuilder()
                .setSlot(slot)
                .setRank(rank)
                .setStep(step)
                .setVersion(rank < 0 ? 99 : 40 + slot)
                .setMemoryBytes(1 << 20)
                .setCpuMillis(1500)
                .setCollectionMillis(20)
                .addMetrics(Metric.newBuilder().setName("loss").setValue(0.25))
                .build();
    }
}
