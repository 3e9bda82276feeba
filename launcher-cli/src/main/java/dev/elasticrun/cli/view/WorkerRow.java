/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.cli.text.Durations;
import dev.elasticrun.proto.WorkerStatus;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A worker in {@code status}, as text and as JSON. Pure. */
final class WorkerRow {
    static final List<String> HEADINGS =
            List.of("RANK", "STATE", "STEP", "STEPS/S", "CHECKPOINT", "NODE", "MEMORY", "PID", "LOCAL", "ATTEMPT");

    private static final String NONE = "-";
    // A worker that makes steps all the time has shorter gaps between two of them.
    private static final long STILL_MILLIS = 5000;

    private WorkerRow() {}

    /** One for each heading. */
    static List<String> cells(WorkerStatus worker, String node) {
        return List.of(
                worker.getRank() < 0 ? NONE : Integer.toString(worker.getRank()),
                state(worker),
                step(worker),
                worker.getStepsPerSecond() < 0 || !isWorking(worker) ? NONE : rate(worker),
                worker.getVersion() == 0 ? NONE : Long.toString(worker.getVersion()),
                node,
                worker.getMemoryBytes() == 0 ? NONE : (worker.getMemoryBytes() >> 20) + " MiB",
                worker.getPid() <= 0 ? NONE : Long.toString(worker.getPid()),
                Integer.toString(worker.getSlot()),
                Integer.toString(worker.getAttempt()));
    }

    /** Names stay as they are, new ones may come; what is not known is null. */
    static void json(WorkerStatus worker, ObjectNode json) {
        json.put("local_rank", worker.getSlot());
        json.put("attempt", worker.getAttempt());
        json.put("pid", worker.getPid());
        json.put("rank", worker.getRank() < 0 ? null : (Integer) worker.getRank());
        json.put("state", worker.getState());
        json.put("step", worker.getStep());
        json.put("total_steps", worker.getTotal() == 0 ? null : (Long) worker.getTotal());
        json.put("steps_per_second", worker.getStepsPerSecond() < 0 ? null : (Double) worker.getStepsPerSecond());
        json.put("checkpoint_version", worker.getVersion());
        json.put("memory_bytes", worker.getMemoryBytes() == 0 ? null : (Long) worker.getMemoryBytes());
        json.put("still_ms", worker.getStillMillis() < 0 ? null : (Long) worker.getStillMillis());
        json.put("section", worker.getSection());
        json.put("waits", worker.getWaits());
        ObjectNode metrics = json.putObject("metrics");
        worker.getMetricsList()
                .forEach(metric -> metrics.put(
                        metric.getName(), Double.isFinite(metric.getValue()) ? (Double) metric.getValue() : null));
    }

    /** What its program published, for a line of text; empty = nothing. */
    static String metrics(WorkerStatus worker) {
        return worker.getMetricsList().stream()
                .map(metric -> metric.getName() + " " + String.format(Locale.ROOT, "%.6g", metric.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String state(WorkerStatus worker) {
        if (worker.getState().isEmpty()) {
            return "not known";
        }
        boolean isStill = isWorking(worker) && worker.getStillMillis() >= STILL_MILLIS;
        return worker.getState()
                + (worker.getSection().isEmpty() ? "" : " (" + worker.getSection() + ")")
                + (isStill
                        ? ", " + (worker.getWaits() ? "waits" : "no progress") + " for "
                                + Durations.text(worker.getStillMillis())
                        : "");
    }

    private static boolean isWorking(WorkerStatus worker) {
        return worker.getState().equals("working");
    }

    private static String step(WorkerStatus worker) {
        if (worker.getStep() == 0) {
            return NONE;
        }
        return worker.getStep() + (worker.getTotal() == 0 ? "" : " of " + worker.getTotal());
    }

    /** Of a program that reports no steps it is known from its checkpoints. */
    private static String rate(WorkerStatus worker) {
        double perSecond = worker.getStepsPerSecond();
        return String.format(Locale.ROOT, perSecond < 10 ? "%.2f" : "%.0f", perSecond)
                + (worker.getStep() == 0 ? " commits" : "");
    }
}
