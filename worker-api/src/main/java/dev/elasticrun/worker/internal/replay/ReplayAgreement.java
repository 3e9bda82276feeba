/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides how the ranks of a round come to stand at one operation. Pure: every rank computes it from the same
 * statements.
 *
 * <p>Ranks continue if they worked in this world, in the newest era in which any of them did. The target is the
 * position of the foremost of them; all others take the results up to there from the logs. A rank that stands before
 * the agreed checkpoint waits in the call that made it: it was staged everywhere, so the call is done. If no rank
 * continues, or a result that a rank needs is in no log, all begin again at the checkpoint, in a new era.
 *
 * @param era counts the histories of this run
 * @param isRollback no rank continues: all begin at the checkpoint
 * @param target number of the first operation since the checkpoint that no rank finished
 * @param positions by rank: operations since the checkpoint that it has done; 0 if it begins again
 * @param goesOn by rank: whether its program continues where it is
 * @param services which rank sends results to which other, in the order in which all must be done
 */
public record ReplayAgreement(
        long era, boolean isRollback, long target, List<Long> positions, List<Boolean> goesOn, List<Service> services) {

    /** More than any log has; what is behind a larger number begins again. */
    private static final long MAX_TARGET = 10_000_000;

    /** What one rank sends to another: numbers of operations, ascending. */
    public record Service(int source, int destination, List<Long> operations) {}

    public ReplayAgreement {
        positions = List.copyOf(positions);
        goesOn = List.copyOf(goesOn);
        services = List.copyOf(services);
    }

    /**
     * @param ranks what all ranks stated, by rank
     * @param holdsAgreed by rank: whether it had the agreed checkpoint before the round
     * @param world the world of the round
     * @param version version of the agreed checkpoint; 0 = none
     */
    public static ReplayAgreement of(List<LogPosition> ranks, List<Boolean> holdsAgreed, long world, long version) {
        long era = ranks.stream()
                .filter(rank -> rank.world() == world)
                .mapToLong(LogPosition::era)
                .max()
                .orElse(0);
        List<Boolean> goesOn = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        long target = 0;
        for (int rank = 0; rank < ranks.size(); rank++) {
            LogPosition progress = ranks.get(rank);
            boolean isOn = era > 0 && progress.world() == world && progress.era() == era && progress.isContinuing();
            if (isOn && !canReach(progress, version, holdsAgreed.get(rank))) {
                return rollback(ranks);
            }
            long position = isOn && progress.version() == version ? progress.seq() : 0;
            goesOn.add(isOn);
            positions.add(position);
            target = Math.max(target, position);
        }
        if (!goesOn.contains(true) || target > MAX_TARGET) {
            return rollback(ranks);
        }
        long newestEra = era;
        List<LogPosition> logs = ranks.stream()
                .map(rank -> rank.world() == world && rank.era() == newestEra && rank.version() == version
                        ? rank
                        : LogPosition.NONE)
                .toList();
        Optional<List<Service>> services = services(logs, positions, target);
        if (services.isEmpty()) {
            return rollback(ranks);
        }
        return new ReplayAgreement(era, false, target, positions, goesOn, services.get());
    }

    private static boolean canReach(LogPosition progress, long version, boolean holdsAgreed) {
        return progress.version() == version || (progress.version() == version - 1 && holdsAgreed);
    }

    private static ReplayAgreement rollback(List<LogPosition> ranks) {
        long newest = ranks.stream().mapToLong(LogPosition::era).max().orElse(0);
        List<Long> positions = new ArrayList<>();
        List<Boolean> goesOn = new ArrayList<>();
        ranks.forEach(rank -> {
            positions.add(0L);
            goesOn.add(false);
        });
        return new ReplayAgreement(newest + 1, true, 0, positions, goesOn, List.of());
    }

    /** Empty = a result is in no log. Ordered by destination, so that any two ranks meet in the same order. */
    private static Optional<List<Service>> services(List<LogPosition> logs, List<Long> positions, long target) {
        List<Service> services = new ArrayList<>();
        for (int rank = 0; rank < logs.size(); rank++) {
            Map<Integer, List<Long>> bySource = new TreeMap<>();
            for (long operation = positions.get(rank); operation < target; operation++) {
                int source = source(logs, rank, operation);
                if (source < 0) {
                    return Optional.empty();
                }
                bySource.computeIfAbsent(source, none -> new ArrayList<>()).add(operation);
            }
            for (Map.Entry<Integer, List<Long>> each : bySource.entrySet()) {
                if (each.getKey() != rank) {
                    services.add(new Service(each.getKey(), rank, each.getValue()));
                }
            }
        }
        return Optional.of(services);
    }

    /** Itself, or the next rank that has it: neighbours of several replacements share the work. */
    private static int source(List<LogPosition> logs, int rank, long operation) {
        for (int distance = 0; distance < logs.size(); distance++) {
            int other = (rank + distance) % logs.size();
            if (logs.get(other).holds(other, operation)) {
                return other;
            }
        }
        return -1;
    }
}
