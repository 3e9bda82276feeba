/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.process.ResourceLimits;
import java.util.Locale;
import java.util.OptionalLong;

/** Whether the limits of this user and of its control groups suit a run. Pure. */
final class LimitVerdict {
    private static final String FILES = "open files";
    private static final String PROCESSES = "processes";
    private static final String GROUP_PROCESSES = "processes of the control group";
    private static final String MEMORY = "memory";
    private static final String PROCESSORS = "processors";

    /** What agents have open, and what they need for each worker. */
    private static final int FILES_OF_AN_AGENT = 64;

    private static final int FILES_PER_WORKER = 16;
    /** Libraries, jars and logs of a worker, besides its connections. */
    private static final int FILES_OF_A_WORKER = 256;

    /** Threads of an agent with its guards. */
    private static final int THREADS_OF_AN_AGENT = 40;
    /** Threads of the smallest JVM, and of one on several processors. */
    private static final int LEAST_THREADS_PER_WORKER = 15;

    private static final int THREADS_PER_WORKER = 40;
    private static final long AGENT_BYTES = 128L << 20;
    /** What a JVM has besides its heap, at least. */
    private static final long OUTSIDE_HEAP_BYTES = 64L << 20;

    private LimitVerdict() {}

    /** @param limit of each process; empty = none */
    static Check openFiles(OptionalLong limit, NodeLoad load) {
        long ofAgent = FILES_OF_AN_AGENT + (long) FILES_PER_WORKER * load.workers();
        long ofWorker = FILES_OF_A_WORKER + (long) load.worldSize();
        return limited(FILES, "ulimit -n", limit, ofAgent, Math.max(ofAgent, ofWorker));
    }

    /** @param limit of all processes and threads of the user; empty = none */
    static Check processes(OptionalLong limit, NodeLoad load) {
        return limited(PROCESSES, "ulimit -u", limit, leastThreads(load), threads(load));
    }

    static Check groupProcesses(ResourceLimits limits, NodeLoad load) {
        return limited(GROUP_PROCESSES, "pids.max", limits.processes(), leastThreads(load), threads(load));
    }

    private static Check limited(String name, String where, OptionalLong limit, long least, long wanted) {
        if (limit.isEmpty()) {
            return Check.ok(name, "no limit");
        }
        String found = where + " is " + limit.getAsLong();
        if (limit.getAsLong() >= wanted) {
            return Check.ok(name, found);
        }
        String advice = "raise it to " + wanted + " or more";
        return limit.getAsLong() < least
                ? Check.error(name, found, advice + ": workers of this run could not start")
                : Check.warning(name, found, advice + ", or start fewer workers here");
    }

    private static long leastThreads(NodeLoad load) {
        return THREADS_OF_AN_AGENT + (long) LEAST_THREADS_PER_WORKER * load.workers();
    }

    private static long threads(NodeLoad load) {
        return THREADS_OF_AN_AGENT + (long) THREADS_PER_WORKER * load.workers();
    }

    /** @param machineBytes memory of the machine */
    static Check memory(ResourceLimits limits, long machineBytes, NodeLoad load) {
        boolean isLimited = limits.memory().orElse(Long.MAX_VALUE) < machineBytes;
        long limit = Math.min(limits.memory().orElse(machineBytes), machineBytes);
        String found = Sizes.text(limit) + (isLimited ? " by the control group" : " of the machine");
        // Without a limit of its own a JVM takes a quarter of what there is.
        long heap = load.heapBytes().orElse(limit / 4);
        long needed = AGENT_BYTES + load.workers() * (heap + OUTSIDE_HEAP_BYTES) + load.stateBytes();
        if (needed <= limit) {
            return Check.ok(MEMORY, found);
        }
        String uses = load.workers() + " heaps of " + Sizes.text(heap)
                + (load.stateBytes() > 0 ? " and checkpoints of " + Sizes.text(load.stateBytes()) : "");
        return Check.warning(
                MEMORY,
                found + ", less than " + uses,
                (load.heapBytes().isEmpty() ? "give --java-opts an -Xmx" : "lower -Xmx of --java-opts")
                        + ", start fewer workers, or raise the limit: the kernel may kill workers");
    }

    /** @param usable processors on which this process may run */
    static Check processors(ResourceLimits limits, int usable, NodeLoad load) {
        double available = Math.min(limits.processors().orElse(usable), usable);
        String found = String.format(Locale.ROOT, available == usable ? "%.0f" : "time of %.1f", available);
        return available >= load.workers()
                ? Check.ok(PROCESSORS, found)
                : Check.warning(
                        PROCESSORS,
                        found + " for " + load.workers() + " workers",
                        "start fewer workers, or raise the limit of the control group: they share the processors");
    }
}
