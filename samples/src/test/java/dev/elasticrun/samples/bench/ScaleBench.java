/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Rendezvous at N agents in this process on one real etcd: the first round, idling, one per cent lost. */
final class ScaleBench {
    private static final Duration IDLE = Duration.ofSeconds(6);
    private static final int WARM_UP = 50;
    /** The default of {@code --lease-ttl}; longer where a machine is too busy for so many agents. */
    private static final Duration LEASE = Duration.ofSeconds(Integer.getInteger("bench.leaseSeconds", 3));

    private ScaleBench() {}

    /** All that one repetition measured. */
    private record Result(ScaleRun.Phase formed, ScaleRun.Phase idle, ScaleRun.Phase lost, int documentBytes) {}

    static String run(Path directory, List<Integer> sizes, int repeats, int slots) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### Rendezvous, " + repeats + " times each, " + slots
                        + " workers a node, agents and etcd on one machine",
                "",
                "| agents | event | median ms | worst ms | ratio | writes | reads | etcd sends KiB | to an agent, bytes"
                        + " | coordinator CPU ms | agents CPU ms | etcd CPU ms |",
                "|---|---|---|---|---|---|---|---|---|---|---|---|"));
        List<String> documents = new ArrayList<>();
        double formedBefore = Double.NaN;
        double lostBefore = Double.NaN;
        for (int size : sizes) {
            List<Result> results;
            try {
                results = repeat(directory, size, repeats, slots);
            } catch (IllegalStateException | AssertionError e) {
                // The machine goes no further; what it did up to here is worth a table.
                lines.add("| " + size + " | " + e.getMessage() + " | | | | | | | | | | |");
                break;
            }
            formedBefore = add(lines, size, "first round", results, Result::formed, formedBefore);
            lostBefore = add(lines, size, Math.max(1, size / 100) + " lost", results, Result::lost, lostBefore);
            add(lines, size, IDLE.toSeconds() + " s idle", results, Result::idle, Double.NaN);
            int bytes = results.get(0).documentBytes();
            documents.add(String.format(Locale.ROOT, "| %d | %d | %.1f |", size, bytes, bytes / (double) size));
        }
        lines.addAll(List.of("", "| agents | round document, bytes | a member, bytes |", "|---|---|---|"));
        lines.addAll(documents);
        lines.add("");
        return String.join("\n", lines);
    }

    private static List<Result> repeat(Path directory, int size, int repeats, int slots) {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-" + size))) {
            once(etcd, "warm-up", WARM_UP, slots, Duration.ofMillis(1));
            List<Result> results = new ArrayList<>();
            for (int i = 0; i < repeats; i++) {
                results.add(once(etcd, "run-" + i, size, slots, IDLE));
            }
            return results;
        }
    }

    private static Result once(EtcdProcess etcd, String runId, int size, int slots, Duration idle) {
        try (ScaleRun run = new ScaleRun(etcd.endpoint(), runId, size, slots, LEASE)) {
            ScaleRun.Phase formed = run.form();
            int documentBytes = run.documentBytes();
            ScaleRun.Phase idled = run.idle(idle);
            ScaleRun.Phase lost = run.lose(Math.max(1, size / 100));
            if (!run.troubles().isEmpty()) {
                System.out.println("at " + size + " agents: " + run.troubles());
            }
            return new Result(formed, idled, lost, documentBytes);
        }
    }

    private static double add(
            List<String> lines,
            int size,
            String event,
            List<Result> results,
            Function<Result, ScaleRun.Phase> phase,
            double before) {
        List<ScaleRun.Phase> phases = results.stream().map(phase).toList();
        Distribution millis = Distribution.of(
                phases.stream().mapToDouble(ScaleRun.Phase::millis).toArray());
        lines.add(String.format(
                Locale.ROOT,
                "| %d | %s | %.0f | %.0f | %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |",
                size,
                event,
                millis.median(),
                millis.worst(),
                Double.isNaN(before) ? "-" : String.format(Locale.ROOT, "%.1f", millis.median() / before),
                median(phases, one -> one.etcd().revision()),
                median(phases, one -> one.etcd().ranges()),
                median(phases, one -> one.etcd().sentBytes() / 1024.0),
                median(phases, one -> one.etcd().sentBytes() / (double) size),
                median(phases, ScaleRun.Phase::coordinatorMillis),
                median(phases, ScaleRun.Phase::agentMillis),
                median(phases, one -> one.etcd().cpuMillis())));
        return millis.median();
    }

    private static double median(List<ScaleRun.Phase> phases, ToDoubleFunction<ScaleRun.Phase> value) {
        return phases.stream()
                .sorted(Comparator.comparingDouble(value))
                .skip((phases.size() - 1) / 2)
                .mapToDouble(value)
                .findFirst()
                .orElse(Double.NaN);
    }
}
