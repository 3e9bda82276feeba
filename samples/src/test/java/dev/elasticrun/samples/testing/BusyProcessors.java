/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Processes that compete with the run for every processor, until closed. */
public final class BusyProcessors implements AutoCloseable {
    private final List<Process> loops = new ArrayList<>();

    private BusyProcessors() {}

    /** Starts so many endless loops for each processor. They end by themselves after two minutes at the latest. */
    public static BusyProcessors start(int perProcessor) {
        BusyProcessors busy = new BusyProcessors();
        for (int i = 0; i < perProcessor * Runtime.getRuntime().availableProcessors(); i++) {
            try {
                busy.loops.add(
                        new ProcessBuilder("timeout", "-s", "KILL", "120", "sh", "-c", "while :; do :; done").start());
            } catch (IOException e) {
                busy.close();
                throw new UncheckedIOException(e);
            }
        }
        return busy;
    }

    public boolean isBusy() {
        return loops.stream().allMatch(Process::isAlive);
    }

    @Override
    public void close() {
        for (Process loop : loops) {
            List<ProcessHandle> below = loop.descendants().toList();
            loop.destroyForcibly();
            below.forEach(ProcessHandle::destroyForcibly);
            loop.onExit().join();
        }
    }
}
