/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Events of a run as its agents write them; times are milliseconds. */
final class EventList {
    private final List<LoggedEvent> events = new ArrayList<>();
    private long round;

    List<LoggedEvent> all() {
        return List.copyOf(events);
    }

    /** All workers receive WORK and work 20 ms later. */
    EventList round(long number, long millis, long version, String... nodes) {
        round = number;
        for (int rank = 0; rank < nodes.length; rank++) {
            add(nodes[rank], millis, new RunEvent.WorkPublished("", List.of(), number, nodes.length, rank, List.of(0)));
        }
        for (int rank = 0; rank < nodes.length; rank++) {
            resumed(nodes[rank], rank, millis + 20, version);
        }
        return this;
    }

    /** All receive WORK, and the first only works. */
    EventList brokenRound(long number, long millis, long version, String... nodes) {
        round = number;
        for (int rank = 0; rank < nodes.length; rank++) {
            add(nodes[rank], millis, new RunEvent.WorkPublished("", List.of(), number, nodes.length, rank, List.of(0)));
        }
        return resumed(nodes[0], 0, millis + 20, version);
    }

    private EventList resumed(String node, int rank, long millis, long version) {
        return add(
                node,
                millis,
                new RunEvent.WorkerResumed(
                        new RunEvent.Worker(0, 0), rank, round, version, TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    EventList decided(String node, long millis, long nextRound, Cause cause) {
        return add(node, millis, new RunEvent.RoundDecided("", List.of(cause), nextRound, false));
    }

    /** The members wait for the next round. */
    EventList suspended(String node, long millis, long round, Cause cause) {
        return add(node, millis, new RunEvent.RoundDecided("", List.of(cause), round, true));
    }

    EventList failed(String node, long millis, long pid, int rank) {
        return add(
                node,
                millis,
                new RunEvent.WorkerFailed(
                        new RunEvent.Worker(0, 0),
                        rank,
                        new RunEvent.WorkerEnd(pid, 137),
                        new RunEvent.Found(FailureKind.SIGNAL, "", Optional.empty()),
                        false,
                        0));
    }

    EventList paused(String node, long millis, long step, long version) {
        return add(
                node,
                millis,
                new RunEvent.PauseAcknowledged(
                        new RunEvent.Worker(0, 0), 1, version, step, TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    EventList progressed(String node, long millis, long step) {
        return add(node, millis, new RunEvent.WorkerProgressed(new RunEvent.Worker(0, 0), 0, step, 0));
    }

    EventList ended(String node, long millis, boolean succeeded, int exitCode, String reason) {
        return add(node, millis, new RunEvent.RunEnded(succeeded, exitCode, reason, List.of(), Optional.empty()));
    }

    EventList lost(String node, long millis, long version) {
        return add(
                node,
                millis,
                new RunEvent.StateLost(
                        new RunEvent.Worker(0, 0), new RunEvent.Loss(version, round, List.of(), "restart")));
    }

    private EventList add(String node, long millis, RunEvent event) {
        events.add(new LoggedEvent(
                new LoggedEvent.Stamp(
                        node, round, round, TimeUnit.MILLISECONDS.toNanos(millis), Instant.ofEpochMilli(millis)),
                "incarnation",
                event,
                Map.of()));
        return this;
    }
}
