/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Processes outlive SIGKILL: they wait in the kernel, for a dead disk or device. The agent can only continue without
 * them.
 */
public final class UnkillableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<Long> pids;

    UnkillableException(Collection<? extends WorkerProcess> workers, long waitedNanos) {
        super(workers.stream().map(worker -> "process " + worker.pid()).collect(Collectors.joining(", "))
                + " or its children: still there " + TimeUnit.NANOSECONDS.toMillis(waitedNanos) / 1000.0
                + " s after SIGKILL, waiting in the kernel");
        this.pids = workers.stream().map(WorkerProcess::pid).toList();
    }

    /** The workers whose groups are left. */
    public List<Long> pids() {
        return pids;
    }
}
