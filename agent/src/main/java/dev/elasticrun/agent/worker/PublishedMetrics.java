/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.directory.SmallFile;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.proto.Metric;
import dev.elasticrun.worker.contract.MetricFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The newest values that the program of a worker published, in the order in which it published them first. */
record PublishedMetrics(List<MetricFile.Metric> all) {
    static final PublishedMetrics NONE = new PublishedMetrics(List.of());

    PublishedMetrics {
        all = List.copyOf(all);
    }

    static PublishedMetrics read(Path file) {
        try {
            return new PublishedMetrics(MetricFile.decode(SmallFile.read(file, MetricFile.SIZE)));
        } catch (IOException | IllegalArgumentException none) {
            // Most programs publish none.
            return NONE;
        }
    }

    List<RunEvent.WorkerMetric> events(RunEvent.Worker worker, long step) {
        return all.stream()
                .map(metric -> new RunEvent.WorkerMetric(
                        worker, step, metric.name(), Optional.of(metric.value()).filter(Double::isFinite)))
                .toList();
    }

    List<Metric> status() {
        return all.stream()
                .map(metric -> Metric.newBuilder()
                        .setName(metric.name())
                        .setValue(metric.value())
                        .build())
                .toList();
    }
}
