/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.agent.events.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one agent's event log has, folded line by line. No I/O, no clock. */
public final class AgentLog {
    private final List<LoggedEvent> events = new ArrayList<>();
    private final Map<Long, Slot> slots = new TreeMap<>();

    /**
     * The newest worker of a slot.
     *
     * @param pid its process
     * @param readyNanos when it was ready; 0 = not yet
     * @param resumedRound newest round in which it completed an operation; 0 = none
     * @param resumedNanos when it first did so in that round
     * @param running false after its exit
     */
    public record Slot(long pid, long readyNanos, long resumedRound, long resumedNanos, boolean running) {
        /**
         * Whether these are so many workers, all of which have completed an operation in one and the same round.
         *
         * @param after a round before that
         */
        public static boolean areTogether(List<Slot> workers, int number, long after) {
            return workers.size() == number
                    && workers.get(0).resumedRound > after
                    && workers.stream().map(Slot::resumedRound).distinct().count() == 1;
        }
    }

    public void add(LoggedEvent event) {
        events.add(event);
        long slot = event.number("slot");
        if (event.is("worker.started")) {
            slots.put(slot, new Slot(event.number("pid"), 0, 0, 0, true));
            return;
        }
        Slot worker = slots.get(slot);
        if (worker == null || !isAbout(event, worker)) {
            return;
        }
        switch (event.kind()) {
            case "worker.ready" ->
                slots.put(
                        slot,
                        new Slot(worker.pid, event.nanos(), worker.resumedRound, worker.resumedNanos, worker.running));
            case "worker.resumed" -> {
                if (event.round() > worker.resumedRound) {
                    slots.put(
                            slot,
                            new Slot(worker.pid, worker.readyNanos, event.round(), workerNanos(event), worker.running));
                }
            }
            case "worker.exited" ->
                slots.put(
                        slot, new Slot(worker.pid, worker.readyNanos, worker.resumedRound, worker.resumedNanos, false));
            default -> {}
        }
    }

    /** Newest worker of each slot that is running. */
    public List<Slot> running() {
        return slots.values().stream().filter(Slot::running).toList();
    }

    /** The running workers that have completed an operation in a round newer than this one. */
    public List<Slot> resumedAfter(long round) {
        return running().stream().filter(slot -> slot.resumedRound > round).toList();
    }

    /** The events of a kind that are later than {@code nanos}, in the order of the log. */
    public List<LoggedEvent> after(long nanos, String kind) {
        return events.stream()
                .filter(event -> event.nanos() > nanos && event.is(kind))
                .toList();
    }

    /** All events, in the order of the log. */
    public List<LoggedEvent> everything() {
        return List.copyOf(events);
    }

    /** All events of a kind, in the order of the log. */
    public List<LoggedEvent> all(String kind) {
        return events.stream().filter(event -> event.is(kind)).toList();
    }

    /** All events of a type, in the order of the log. */
    public <E extends RunEvent> List<E> all(Class<E> type) {
        return events.stream()
                .map(LoggedEvent::event)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** The worker that the run names as the root cause of its end; throws if there is none, or no end. */
    public RunEvent.Root rootCause() {
        return all(RunEvent.RunEnded.class).get(0).root().orElseThrow();
    }

    /** Processes of all workers that this agent ever started. */
    public List<Long> everStarted() {
        return all("worker.started").stream().map(event -> event.number("pid")).toList();
    }

    /** An event that names no process is about the newest worker of its slot. */
    private static boolean isAbout(LoggedEvent event, Slot worker) {
        long pid = event.number("pid");
        return pid < 0 || pid == worker.pid;
    }

    public static long workerNanos(LoggedEvent event) {
        long inWorker = event.number("worker_nanos");
        return inWorker < 0 ? event.nanos() : inWorker;
    }
}
