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
    public static List<Integer> of(CpuBinding binding, int workers, int slot) {
        if (binding == CpuBinding.NONE) {
            return List.of();
        }
        Cpus cpus = read();
        return binding == CpuBinding.CORE ? cpus.ofCores(slot, workers) : cpus.ofNode(slot, workers);
    }

    /** What must be instead, if the binding cannot be had on this machine. */
    static Optional<String> expectation(CpuBinding binding, int workers) {
        if (binding == CpuBinding.NONE) {
            return Optional.empty();
        }
        if (!Executables.isOnPath("taskset")) {
            return Optional.of("none, as there is no taskset (util-linux) on the PATH");
        }
        int cores = read().cores().size();
        return binding == CpuBinding.CORE && workers > cores
                ? Optional.of(
                        "at most " + cores + " workers, one for each core that this agent may use; not " + workers)
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
