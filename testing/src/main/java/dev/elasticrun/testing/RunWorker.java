/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

/**
 * One worker process of a run. A worker that takes its place later is another one: ask the run for it. Any thread.
 */
public final class RunWorker {
    private final EventReader events;
    private final RunView.Slot slot;
    private final int rank;
    private final ProcessHandle process;

    RunWorker(EventReader events, RunView.Slot slot, int rank, ProcessHandle process) {
        this.events = events;
        this.slot = slot;
        this.rank = rank;
        this.process = process;
    }

    /** In the round in which the run was asked for this worker; -1 = it had none. */
    public int rank() {
        return rank;
    }

    /** Its place on its node, from 0. */
    public int slot() {
        return slot.slot();
    }

    public long pid() {
        return slot.pid();
    }

    public boolean isAlive() {
        return Processes.isRunning(process);
    }

    /** SIGKILL; returns when the process has ended. Of one that has ended it does nothing. */
    public void kill() {
        Signals.kill(process);
    }

    /**
     * SIGSTOP; returns when no thread of the process runs. Its agent detects that by {@code --hang-timeout}, which is 300 s
     * by default, or because the worker does not acknowledge PAUSE within {@code --pause-timeout}.
     *
     * @throws IllegalStateException when the process has ended
     */
    public void stop() {
        Signals.stop(process);
    }

    /**
     * SIGCONT.
     *
     * @throws IllegalStateException when the process has ended
     */
    public void resume() {
        Signals.resume(process);
    }

    /** What it wrote to standard output so far. */
    public String output() {
        return events.output(slot, false);
    }

    /** What it wrote to standard error so far. */
    public String errors() {
        return events.output(slot, true);
    }

    @Override
    public String toString() {
        return "worker " + slot.slot() + " of node " + slot.node() + (rank < 0 ? " without a rank" : ", rank " + rank)
                + ", process " + slot.pid();
    }
}
