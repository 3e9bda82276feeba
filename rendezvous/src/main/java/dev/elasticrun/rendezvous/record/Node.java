/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A live node: its record, and the revision that distinguishes this registration of its key from others.
 *
 * @param dialled false while its workers' listeners are being dialled: until they answer it is not ready
 */
public record Node(NodeRecord record, long createRevision, boolean dialled) {
    private static final int MAX_NAMED = 20;

    public Node(NodeRecord record, long createRevision) {
        this(record, createRevision, true);
    }

    public Node notDialled() {
        return new Node(record, createRevision, false);
    }

    public String nodeId() {
        return record.nodeId();
    }

    public NodePhase phase() {
        return dialled ? record.phase() : NodePhase.STARTING;
    }

    /**
     * Whether a worker that has a rank in this place of the round ended well before it did anything in it, so that the round
     * cannot begin, and the next one will be without that worker.
     */
    public boolean endedBefore(Round round, Participant place) {
        boolean isNew =
                phase() == NodePhase.DONE || (isElastic() && record.rounds().acknowledged() >= round.number());
        return isNew
                && record.group().workers().stream()
                        .filter(worker ->
                                place.rankOf(worker.slot(), worker.attempt()).isPresent())
                        .anyMatch(worker -> worker.endedBefore(round));
    }

    /** Whether it works or is about to. */
    public boolean usable() {
        return switch (record.phase()) {
            case STARTING, READY, ACTIVE, STANDBY, FENCED -> true;
            case BACKING_OFF, DRAINING, DONE, BROKEN -> false;
        };
    }

    /** Whether a worker wants it out of the run, and no round since has sent it to work again. */
    public boolean excluded(@Nullable Round newest) {
        return !record.reports().excluded().isEmpty()
                && (newest == null
                        || record.rounds().acknowledged() >= newest.number()
                        || newest.participant(record.nodeId()).isEmpty());
    }

    /** Whether it has a place in a round: this registration of the node, and not a former one of the same name. */
    public boolean isIn(@Nullable Round round) {
        return round != null
                && round.participant(nodeId())
                        .filter(place -> place.createRevision() == createRevision)
                        .isPresent();
    }

    /** Whether its record is from before it had this place, although it was not lost since. */
    public boolean isOlderThan(Participant place) {
        return createRevision == place.createRevision() && record.generation() < place.generation();
    }

    /** Whether a worker that has a rank in this place failed, or has been replaced already. */
    public boolean failed(Participant place) {
        return hasReplaced(place) || failures(place).findAny().isPresent();
    }

    /** Whether one of its workers failed. */
    public boolean failed() {
        return record.failures().stream().anyMatch(failure -> record.group().workers().stream()
                .anyMatch(worker -> worker.seat().isOf(failure.slot(), failure.attempt())));
    }

    /** Whether a fresh worker has been started for one that has a rank in this place. */
    public boolean hasReplaced(Participant place) {
        return place.seats().stream().anyMatch(this::isReplaced);
    }

    // A record that has not reached the store can be older than the round, but not newer in a slot that is still right.
    private boolean isReplaced(Participant.Seat seat) {
        return record.group().workers().stream()
                .anyMatch(worker -> worker.slot() == seat.slot() && worker.attempt() > seat.attempt());
    }

    private static Predicate<Failure> ofWorker(Participant.Seat seat) {
        return failure -> seat.isOf(failure.slot(), failure.attempt());
    }

    /** Failures of workers that have a rank in this place, in the order in which its agent reported them. */
    public Stream<Failure> failures(Participant place) {
        return record.failures().stream().filter(failure -> place.rankOf(failure.slot(), failure.attempt())
                .isPresent());
    }

    /** Whether the workers in this place failed before any of their processes ran. */
    public boolean neverRan(Participant place) {
        List<Failure> all = failures(place).toList();
        return !all.isEmpty() && all.stream().allMatch(failure -> failure.pid() == 0);
    }

    /** Whether the workers in this place failed only as a consequence of failures elsewhere. */
    public boolean onlyCollateral(Participant place) {
        return failures(place).allMatch(Failure::collateral);
    }

    /**
     * How many of its workers continue although others failed, or are about to be ready: none if all of its workers stop
     * together.
     */
    public int continuing() {
        return isElastic()
                ? (int) record.group().workers().stream()
                        .filter(worker -> worker.offered() || isLoading(worker))
                        .count()
                : 0;
    }

    // Its port is known once it is ready.
    private boolean isLoading(WorkerRecord worker) {
        return worker.port() == 0 && record.failures().stream().noneMatch(ofWorker(worker.seat()));
    }

    /**
     * Whether a fresh worker that it could be given a rank for is loading, or is about to start for one that failed; not if
     * none but such are missing as failed before they were ready.
     */
    public boolean isGrowing(Round round) {
        return offered(round).size() < record.spec().slots()
                && record.group().workers().stream()
                        .filter(worker -> !worker.offered())
                        .anyMatch(worker -> isLoading(worker) || hasFailedSinceReady(worker));
    }

    private boolean hasFailedSinceReady(WorkerRecord worker) {
        return worker.port() != 0 && record.failures().stream().anyMatch(ofWorker(worker.seat()));
    }

    private boolean isElastic() {
        return record.group().workers().stream().anyMatch(worker -> !worker.offered());
    }

    /** Whether workers of it can continue in the round after this one although some in this place of it failed. */
    public boolean continuesIn(Round round, Participant place) {
        return isElastic() && !offered(round, Optional.of(place)).isEmpty();
    }

    /** How many of its workers have no rank in this place and could be given one beside those that have. */
    public int returning(Participant place, Round round) {
        long without = offered(round, Optional.of(place)).stream()
                .filter(seat -> place.rank(seat.slot()).isEmpty())
                .count();
        return (int) Math.min(without, record.spec().slots() - place.size());
    }

    /**
     * The workers that it offers to the round after this one.
     *
     * @param round the newest; what the node stated before that round was made states nothing of slots that are empty in
     *     it
     */
    public List<Participant.Seat> offered(Round round) {
        return offered(round, round.participant(nodeId()));
    }

    /** The same, with the place that it has in the round. */
    public List<Participant.Seat> offered(Round round, Optional<Participant> known) {
        Optional<Participant> place = known.filter(own -> own.createRevision() == createRevision);
        boolean isUnseen = record.rounds().acknowledged() < round.number();
        return place.filter(own -> isUnseen && record.generation() <= own.generation() && !failed(own))
                .map(Participant::seats)
                .orElseGet(() -> offered(place));
    }

    // Those that have a rank keep it; others take the ranks of those that are gone, and then the next ones.
    private List<Participant.Seat> offered(Optional<Participant> place) {
        List<Participant.Seat> all = record.group().workers().stream()
                .filter(WorkerRecord::offered)
                .map(WorkerRecord::seat)
                .toList();
        Deque<Participant.Seat> others = new ArrayDeque<>(all);
        List<Participant.Seat> before = place.map(Participant::seats).orElse(List.of());
        before.forEach(seat -> others.removeIf(other -> other.isOf(seat.slot(), seat.attempt())));
        List<Participant.Seat> offered = new ArrayList<>();
        for (Participant.Seat seat : before) {
            Participant.Seat next = all.stream()
                    .filter(other -> other.isOf(seat.slot(), seat.attempt()))
                    .findFirst()
                    .orElseGet(others::poll);
            if (next != null) {
                offered.add(next);
            }
        }
        while (offered.size() < record.spec().slots() && !others.isEmpty()) {
            offered.add(others.remove());
        }
        return List.copyOf(offered);
    }

    /** The first few by name, and how many there are beside them: for messages. */
    public static String names(List<Node> nodes) {
        String named = nodes.stream().limit(MAX_NAMED).map(Node::nodeId).collect(Collectors.joining(", "));
        if (nodes.isEmpty()) {
            return "none";
        }
        return nodes.size() <= MAX_NAMED ? named : named + " and " + (nodes.size() - MAX_NAMED) + " more";
    }
}
