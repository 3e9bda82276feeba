/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.past;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.http.RunPicture;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The newest process of each worker of a run, as events have it. Pure; owned by one thread. */
final class PastWorkers {
    private final Map<String, Row> rows = new TreeMap<>();
    private final Map<String, Seat> seats = new HashMap<>();
    private long newestRound;
    private long step;
    private long total;
    private long version;

    /** The rank of a slot in a round. */
    private record Seat(int rank, long round) {}

    private static final class Row {
        private final String node;
        private final int slot;
        private final int attempt;
        private long pid;
        private long step;
        private long version;
        private String state = "";

        Row(String node, RunEvent.Worker worker) {
            this.node = node;
            this.slot = worker.slot();
            this.attempt = worker.attempt();
        }
    }

    void see(LoggedEvent logged) {
        if (logged.event() instanceof RunEvent.WorkPublished work) {
            newestRound = Math.max(newestRound, logged.round());
            int rank = work.rank();
            for (int slot : work.slots()) {
                seats.put(key(logged.node(), slot), new Seat(rank, logged.round()));
                rank++;
            }
        }
        if (!(logged.event() instanceof RunEvent.OfWorker event)) {
            return;
        }
        Row row = row(logged.node(), event.worker());
        if (event instanceof RunEvent.WorkerStarted started) {
            row.pid = started.pid();
        } else if (event instanceof RunEvent.WorkerResumed resumed) {
            place(row, resumed.rank(), resumed.resumedRound());
            hold(row, resumed.version());
        } else if (event instanceof RunEvent.WorkerProgressed progress) {
            place(row, progress.rank(), logged.round());
            reach(row, progress.step());
            total = Math.max(total, progress.total());
        } else if (event instanceof RunEvent.WorkerFailed failed && !failed.collateral()) {
            row.state = "failed";
            row.pid = failed.end().pid() == 0 ? row.pid : failed.end().pid();
            if (failed.rank() >= 0) {
                place(row, failed.rank(), logged.round());
            }
        } else if (event instanceof RunEvent.WorkerExited exited) {
            row.state = row.state.isEmpty() ? "ended" : row.state;
            row.pid = exited.end().pid() == 0 ? row.pid : exited.end().pid();
        }
        if (event instanceof RunEvent.OfProgress progress) {
            reach(row, progress.step());
            hold(row, progress.version());
        }
    }

    private Row row(String node, RunEvent.Worker worker) {
        String key = key(node, worker.slot());
        Row known = rows.get(key);
        if (known != null && known.attempt == worker.attempt()) {
            return known;
        }
        Row fresh = new Row(node, worker);
        if (known == null || known.attempt < worker.attempt()) {
            rows.put(key, fresh);
        }
        return fresh;
    }

    private void place(Row row, int rank, long round) {
        seats.put(key(row.node, row.slot), new Seat(rank, round));
    }

    /** The newest of the worker; -1 = none is known. */
    int rankOf(String node, RunEvent.Worker worker) {
        Seat seat = seats.get(key(node, worker.slot()));
        return seat == null ? -1 : seat.rank();
    }

    private static String key(String node, int slot) {
        return node + "/" + slot;
    }

    private void reach(Row row, long reached) {
        row.step = Math.max(row.step, reached);
        step = Math.max(step, reached);
    }

    private void hold(Row row, long held) {
        row.version = Math.max(row.version, held);
        version = Math.max(version, held);
    }

    RunPicture.Progress progress() {
        return new RunPicture.Progress(
                RunPicture.positive(step), RunPicture.positive(total), null, null, RunPicture.positive(version), null);
    }

    /** In the order of ranks; a worker that is not in the newest round has none. */
    List<RunPicture.RankRow> rows() {
        return rows.values().stream()
                .map(this::row)
                .sorted(Comparator.comparing(
                        RunPicture.RankRow::place,
                        Comparator.comparing(
                                        RunPicture.Place::rank,
                                        Comparator.nullsLast(Comparator.<Integer>naturalOrder()))
                                .thenComparing(RunPicture.Place::node)
                                .thenComparing(RunPicture.Place::slot)))
                .toList();
    }

    private RunPicture.RankRow row(Row row) {
        Seat seat = seats.get(key(row.node, row.slot));
        @Nullable Integer rank = seat == null || seat.round() < newestRound ? null : (Integer) seat.rank();
        return new RunPicture.RankRow(
                new RunPicture.Place(rank, row.node, row.slot, row.attempt, row.pid),
                new RunPicture.Gauges(
                        row.state.isEmpty() ? "unknown" : row.state,
                        RunPicture.positive(row.step),
                        null,
                        RunPicture.positive(row.version),
                        null,
                        null));
    }
}
