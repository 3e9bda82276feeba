/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.CpuBinding;
import dev.elasticrun.agent.process.Cpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Which processors each worker runs on, by {@code --bind-to}. */
public final class WorkerPlaces {
    private WorkerPlaces() {}

    /** The processors of the worker; empty = all. */
    public static List<Integer> of(LaunchConfig config, int slot) {
        if (config.workers().bindTo() == CpuBinding.NONE) {
            return List.of();
        }
        Cpus cpus = read();
        return config.workers().bindTo() == CpuBinding.CORE
                ? cpus.ofCores(slot, config.size().nprocPerNode())
                : cpus.ofNode(slot, config.size().nprocPerNode());
    }

    /** What must be instead, if the binding cannot be had on this machine. */
    static Optional<String> expectation(LaunchConfig config) {
        if (config.workers().bindTo() == CpuBinding.NONE) {
            return Optional.empty();
        }
        if (!WorkerProgram.onPath("taskset")) {
            return Optional.of("none, as there is no taskset (util-linux) on the PATH");
        }
        int cores = read().cores().size();
        return config.workers().bindTo() == CpuBinding.CORE && config.size().nprocPerNode() > cores
                ? Optional.of("at most " + cores + " workers, one for each core that this agent may use; not "
                        + config.size().nprocPerNode())
                : Optional.empty();
    }

    private static Cpus read() {
        try {
            return Cpus.read();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read which processors there are", e);
        }
    }
}
