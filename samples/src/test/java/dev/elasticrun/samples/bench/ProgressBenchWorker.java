/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.Section;
import java.util.Objects;
import java.util.function.LongConsumer;

/** Reports its progress as often as it can; prints a line for each way and repetition: its name and nanoseconds a call. */
final class ProgressBenchWorker {
    private static final int CALLS = 10_000_000;

    private ProgressBenchWorker() {}

    public static void main(String[] arguments) {
        ElasticRuntime.getWorkerInfo();
        int repeats = Integer.parseInt(arguments[0]);
        for (int repeat = 0; repeat < repeats; repeat++) {
            measure("progress", ElasticRuntime::progress);
            measure("section", step -> {
                try (Section section = ElasticRuntime.section("step")) {
                    Objects.requireNonNull(section);
                }
            });
        }
    }

    private static void measure(String name, LongConsumer call) {
        long start = System.nanoTime();
        for (long step = 1; step <= CALLS; step++) {
            call.accept(step);
        }
        System.out.println(name + " " + (double) (System.nanoTime() - start) / CALLS);
    }
}
