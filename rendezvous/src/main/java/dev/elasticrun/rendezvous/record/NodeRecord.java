/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What an agent publishes about itself, bound to its lease.
 *
 * @param checkpoint newest that this node can serve
 * @param publication filled in by the rendezvous
 */
public record NodeRecord(
        NodeSpec spec,
        NodePhase phase,
        Group group,
        Rounds rounds,
        Reports reports,
        HeldVersion checkpoint,
        Publication publication) {

    /**
     * Its worker group.
     *
     * @param generation of the group that runs or, under {@code hard} between rounds, comes next
     * @param failures of this group and of those before it
     * @param masterPort bound by the agent for rank 0 of the next round
     */
    public record Group(int generation, List<WorkerRecord> workers, List<Failure> failures, int masterPort) {
        public Group {
            workers = List.copyOf(workers);
            failures = List.copyOf(failures);
        }
    }

    /**
     * How far it has followed the run's rounds.
     *
     * @param acknowledged newest that the agent acted on; 0 = none
     * @param stopped all process groups of rounds up to this one are gone; 0 = none
     */
    public record Rounds(long acknowledged, long stopped) {
        public static final Rounds NONE = new Rounds(0, 0);
    }

    /**
     * What its workers, or the agent for them, want the coordinator to know.
     *
     * @param stopRun request to end the run, of a worker, or of the agent: then with process id 0 and the run's exit code
     * @param excluded why a worker wanted this node out of the run; empty = none did since it last went to work
     * @param wishedPlace in the first order of ranks; {@link #ANY_PLACE} = it has no wish
     */
    public record Reports(
            List<PeerLost> peersLost, @Nullable Failure stopRun, String excluded, int wishedPlace) {
        public static final int ANY_PLACE = -1;
        public static final Reports NONE = new Reports(List.of(), null, "", ANY_PLACE);

        public Reports {
            peersLost = List.copyOf(peersLost);
        }
    }

    /**
     * What comes with the record when it is published.
     *
     * @param leaseId that its key is bound to
     * @param provedDead create revisions of nodes whose agents this one proved to be dead, as long as the newest round
     *     names them
     * @param edition grows with every change of the record, so that the newer of two is known
     */
    public record Publication(long leaseId, List<Long> provedDead, long edition) {
        public static final Publication NONE = new Publication(0, List.of(), 0);

        public Publication {
            provedDead = List.copyOf(provedDead);
        }
    }

    public NodeRecord {
        Objects.requireNonNull(phase, "phase");
        if (spec.slots() < 1) {
            throw new IllegalArgumentException("slots: " + spec.slots() + " (expected: >= 1)");
        }
    }

    public String nodeId() {
        return spec.nodeId();
    }

    public int generation() {
        return group.generation();
    }

    /** In which generations its present workers were started, one for each slot. */
    public IntStream attempts() {
        return group.workers().stream().mapToInt(WorkerRecord::attempt);
    }

    public List<Failure> failures() {
        return group.failures();
    }

    public NodeRecord published(Publication with) {
        return new NodeRecord(spec, phase, group, rounds, reports, checkpoint, with);
    }

    public NodeRecord withLease(long leaseId) {
        return published(new Publication(leaseId, publication.provedDead(), publication.edition()));
    }

    public NodeRecord withFailures(List<Failure> failures) {
        Group changed = new Group(group.generation(), group.workers(), failures, group.masterPort());
        return new NodeRecord(spec, phase, changed, rounds, reports, checkpoint, publication);
    }
}
