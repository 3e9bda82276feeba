/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an agent says of itself, bound to its lease.
 *
 * @param address where peers reach the node, a host name or an address
 * @param controlPort port of the agent's control service
 * @param leaseId filled in by the rendezvous
 * @param slots number of workers
 * @param generation the worker group that runs or, under {@code hard} between rounds, comes next
 * @param roundAcknowledged newest round that the agent acted on; 0 = none
 * @param stoppedRound all process groups of rounds up to this one are gone; 0 = none
 * @param provedDead create revisions of nodes whose agents this one proved to be dead, as long as the newest round
 *     names them; filled in by the rendezvous
 * @param checkpoint newest that this node can serve
 * @param masterPort bound by the agent for rank 0 of the next round
 * @param stopRun request to end the run, of a worker, or of the agent: then with process id 0 and the run's exit code
 * @param excluded why a worker wanted this node out of the run; empty = none did since it last went to work
 * @param edition grows with every change of the record, so that the newer of two is known; filled in by {@link
 *     Rendezvous}
 */
public record NodeRecord(
        String nodeId,
        String hostLabel,
        String address,
        int controlPort,
        long leaseId,
        int slots,
        String role,
        NodePhase phase,
        int generation,
        long roundAcknowledged,
        long stoppedRound,
        List<WorkerRecord> workers,
        List<Failure> failures,
        List<PeerLost> peersLost,
        List<Long> provedDead,
        RunVersion checkpoint,
        int masterPort,
        @Nullable Failure stopRun,
        String excluded,
        long edition) {

    public NodeRecord {
        Objects.requireNonNull(nodeId, "nodeId");
        Objects.requireNonNull(phase, "phase");
        workers = List.copyOf(workers);
        failures = List.copyOf(failures);
        peersLost = List.copyOf(peersLost);
        provedDead = List.copyOf(provedDead);
        if (slots < 1) {
            throw new IllegalArgumentException("slots: " + slots + " (expected: >= 1)");
        }
    }

    public NodeRecord withLease(long newLeaseId) {
        return with(newLeaseId, failures, provedDead, edition);
    }

    public NodeRecord withProvedDead(List<Long> newProvedDead) {
        return with(leaseId, failures, newProvedDead, edition);
    }

    public NodeRecord withEdition(long newEdition) {
        return with(leaseId, failures, provedDead, newEdition);
    }

    public NodeRecord withFailures(List<Failure> newFailures) {
        return with(leaseId, newFailures, provedDead, edition);
    }

    private NodeRecord with(long newLeaseId, List<Failure> newFailures, List<Long> newProvedDead, long newEdition) {
        return new NodeRecord(
                nodeId,
                hostLabel,
                address,
                controlPort,
                newLeaseId,
                slots,
                role,
                phase,
                generation,
                roundAcknowledged,
                stoppedRound,
                workers,
                newFailures,
                peersLost,
                newProvedDead,
                checkpoint,
                masterPort,
                stopRun,
                excluded,
                newEdition);
    }
}
