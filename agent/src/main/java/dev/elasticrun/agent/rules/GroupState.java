/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The node's workers. They start and stop together, unless the policy replaces single ones.
 *
 * @param generation counts the groups of this node, from 0; a group in which workers were replaced is another one
 * @param phase what the group does
 * @param workers one per slot, in order
 * @param eventSeq events published to this group so far
 * @param failures what its workers failed of, and those before them in their slots
 * @param startFailures failures before work, in a row, of this group and those before it
 */
public record GroupState(
        int generation,
        Phase phase,
        List<WorkerView> workers,
        long eventSeq,
        List<Failure> failures,
        StartFailures startFailures) {

    // The record with the failures must stay far below the store's limit; the first ones matter, and each is known that
    // takes a worker out of a round alone.
    private static final int MAX_FAILURES = 8;

    public enum Phase {
        /** Not started: {@code hard}, before its round is sealed. */
        PENDING,
        RUNNING,
        /** TERM was sent. */
        STOPPING,
        /** No process of the group is left. */
        GONE
    }

    public GroupState {
        workers = List.copyOf(workers);
        failures = List.copyOf(failures);
    }

    /** The first group of a node. */
    static GroupState first(int slots) {
        return new GroupState(0, Phase.PENDING, fresh(0, slots, List.of()), 0, List.of(), StartFailures.NONE);
    }

    private static List<WorkerView> fresh(int generation, int slots, List<Integer> ports) {
        return IntStream.range(0, slots)
                .mapToObj(slot -> WorkerView.starting(slot, generation, 0, ports.isEmpty() ? 0 : ports.get(slot)))
                .toList();
    }

    public boolean running() {
        return phase == Phase.RUNNING;
    }

    /** Whether a round ever named this group, or the part of it that was not replaced. */
    boolean worked() {
        return workers.stream().anyMatch(worker -> worker.is(WorkerView.Mark.WORKED));
    }

    /** Whether a worker of this group failed; {@code failures} also contains those of the group before. */
    public boolean failed() {
        return failures.stream().anyMatch(this::isOfWorker);
    }

    private boolean isOfWorker(Failure failure) {
        return failure.slot() < workers.size() && failure.attempt() == attempt(failure.slot());
    }

    /** Whether it has all of these workers. */
    boolean has(List<Participant.Seat> seats) {
        return seats.stream().allMatch(seat -> seat.slot() < workers.size() && seat.attempt() == attempt(seat.slot()));
    }

    /** Whether a worker could work in a round without the others. */
    boolean anyFit() {
        return workers.stream().anyMatch(WorkerView::fit);
    }

    public boolean allReady() {
        return workers.stream().allMatch(worker -> worker.ready() && !worker.failed());
    }

    boolean allSucceeded() {
        return workers.stream().allMatch(WorkerView::succeeded);
    }

    /** In which generation the worker of that slot was started. */
    public int attempt(int slot) {
        return workers.get(slot).attempt();
    }

    /** The failures of this group in these slots. */
    List<Failure> failuresIn(List<Integer> slots) {
        return failures.stream()
                .filter(failure -> slots.contains(failure.slot()) && isOfWorker(failure))
                .toList();
    }

    /** Slots whose worker will not work again. */
    List<Integer> endedSlots() {
        return workers.stream().filter(WorkerView::ended).map(WorkerView::slot).toList();
    }

    GroupState withPhase(Phase newPhase) {
        return new GroupState(generation, newPhase, workers, eventSeq, failures, startFailures);
    }

    /** A round has a place for these workers. */
    GroupState withWorked(Participant place) {
        return withWorkers(workers.stream()
                .map(worker -> place.rankOf(worker.slot(), worker.attempt()).isPresent()
                        ? worker.with(WorkerView.Mark.WORKED)
                        : worker)
                .toList());
    }

    private GroupState withWorkers(List<WorkerView> changed) {
        return new GroupState(generation, phase, changed, eventSeq, failures, startFailures);
    }

    GroupState withEvent() {
        return new GroupState(generation, phase, workers, eventSeq + 1, failures, startFailures);
    }

    /**
     * The next group: fresh workers in these slots.
     *
     * @param firstEvent whether the fresh ones get the newest event of the group, or one in its stead
     */
    GroupState withReplaced(List<Integer> slots, boolean firstEvent) {
        long earlier = eventSeq - (firstEvent ? 1 : 0);
        return new GroupState(
                generation + 1,
                phase,
                workers.stream()
                        .map(worker -> slots.contains(worker.slot())
                                ? WorkerView.starting(worker.slot(), generation + 1, earlier, 0)
                                : worker)
                        .toList(),
                eventSeq,
                failures,
                startFailures);
    }

    /**
     * A group of fresh workers instead of this one, none of whose processes is left.
     *
     * @param ports data-plane port per slot, where it is known before the workers start; else empty
     */
    GroupState renewed(int newGeneration, List<Integer> ports) {
        List<WorkerView> fresh = fresh(newGeneration, workers.size(), ports);
        return new GroupState(newGeneration, Phase.PENDING, fresh, 0, failures, startFailures);
    }

    GroupState withStartFailures(StartFailures number) {
        return new GroupState(generation, phase, workers, eventSeq, failures, number);
    }

    GroupState withFailure(Failure failure) {
        List<Failure> all = new ArrayList<>(failures);
        all.removeIf(old -> !isOfWorker(old));
        if (all.size() < Math.max(MAX_FAILURES, workers.size())) {
            all.add(failure);
        }
        return new GroupState(generation, phase, workers, eventSeq, all, startFailures);
    }

    GroupState withWorker(int slot, UnaryOperator<WorkerView> change) {
        List<WorkerView> changed = new ArrayList<>(workers);
        changed.set(slot, change.apply(changed.get(slot)));
        return withWorkers(changed);
    }
}
