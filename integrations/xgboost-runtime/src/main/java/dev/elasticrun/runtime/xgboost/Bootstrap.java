/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The workers of a round that have connected to the tracker. XGBoost's own tracker assigns ranks by the order of hosts
 * and task ids; here a worker sends its rank, which the run has decided, as its task id. Pure; confined to one thread.
 */
final class Bootstrap {
    /** A rank, or a round and a rank: {@code 3}, {@code g00017-r0003}. */
    private static final Pattern TASK = Pattern.compile("(?:g(\\d{1,18})-r)?(\\d{1,9})");

    private final long round;
    private final int worldSize;
    private final Map<Integer, Place> arrived = new TreeMap<>();

    /**
     * Where a worker listens for the one before it in the ring.
     *
     * @param connection by which it waits for its answer
     */
    record Place(int rank, String host, int port, Object connection) {}

    Bootstrap(long round, int worldSize) {
        if (worldSize < 1) {
            throw new IllegalArgumentException("worldSize: " + worldSize + " (expected: 1 or more)");
        }
        this.round = round;
        this.worldSize = worldSize;
    }

    int worldSize() {
        return worldSize;
    }

    /** Why a worker with that task id has no place in this round; empty when it has one. */
    Optional<String> refusal(String taskId) {
        Matcher task = TASK.matcher(taskId);
        if (!task.matches()) {
            return Optional.of("task id: '" + taskId + "' (expected: a rank, or g<round>-r<rank>)");
        }
        String stated = task.group(1);
        if (stated != null && Long.parseLong(stated) != round) {
            return Optional.of("task id: '" + taskId + "' of round " + Long.parseLong(stated) + " (expected: of round "
                    + round + ")");
        }
        return rank(taskId) < worldSize
                ? Optional.empty()
                : Optional.of("task id: '" + taskId + "' (expected: a rank below " + worldSize + ")");
    }

    /** The task id that no tracker of another round takes, of a worker that has a place. */
    String taskId(String stated) {
        return "g" + round + "-r" + rank(stated);
    }

    /**
     * Registers a worker, which waits for the address of its neighbour. A worker that registers again replaces its
     * earlier entry.
     *
     * @return the connection of the replaced entry, which is no longer needed
     */
    Optional<Object> arrive(String taskId, String host, int port, Object connection) {
        int rank = rank(taskId);
        Place before = arrived.put(rank, new Place(rank, host, port, connection));
        return Optional.ofNullable(before).map(Place::connection);
    }

    /** A worker that waited has gone. */
    void leave(Object connection) {
        arrived.values().removeIf(place -> place.connection().equals(connection));
    }

    boolean isComplete() {
        return arrived.size() == worldSize;
    }

    Collection<Place> places() {
        return arrived.values();
    }

    /** The worker to which this one connects. Valid only when the round is complete. */
    Place next(Place place) {
        Place next = arrived.get((place.rank() + 1) % worldSize);
        if (next == null) {
            throw new IllegalStateException("rank " + (place.rank() + 1) % worldSize + " is not there");
        }
        return next;
    }

    /** Forgets all workers when all have their answers; later requests form a new ring. */
    void clear() {
        arrived.clear();
    }

    private static int rank(String taskId) {
        return Integer.parseInt(taskId.substring(taskId.lastIndexOf('r') + 1));
    }
}
