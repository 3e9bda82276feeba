/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

/**
 * A planned fault and what became of it.
 *
 * @param nanos when it was injected, on the monotonic clock of the host
 * @param node node id of the victim; empty = not known
 * @param pid of the worker or the agent; 0 = it was left out
 * @param leftOut why it was not injected; empty = it was
 */
public record Fault(FaultSchedule.Planned planned, long nanos, String node, long pid, String leftOut) {

    static Fault leftOut(FaultSchedule.Planned planned, long nanos, String why) {
        return new Fault(planned, nanos, "", 0, why);
    }

    public FaultKind kind() {
        return planned.kind();
    }

    public boolean isInjected() {
        return leftOut.isEmpty();
    }
}
