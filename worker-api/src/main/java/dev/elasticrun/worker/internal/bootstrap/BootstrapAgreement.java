/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides how all ranks of a round obtain the results of all bootstrap operations. Pure: every rank computes it from
 * the same statements.
 *
 * @param conflict two ranks that have different results of one operation
 * @param services which rank sends which results to which other, in the order in which all must be done
 */
public record BootstrapAgreement(Optional<Conflict> conflict, List<Service> services) {

    /** Two ranks that disagree, and the digest of the operation's name. */
    public record Conflict(long key, int rank, int other) {}

    /** What one rank sends to another: digests of the operations' names, ascending. */
    public record Service(int source, int destination, List<Long> keys) {}

    private record Holders(long content, List<Integer> ranks) {}

    public BootstrapAgreement {
        services = List.copyOf(services);
    }

    public static BootstrapAgreement of(List<BootstrapIndex> ranks) {
        if (ranks.stream().allMatch(ranks.get(0)::equals)) {
            return new BootstrapAgreement(Optional.empty(), List.of());
        }
        Map<Long, Holders> union = new TreeMap<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            for (BootstrapIndex.Entry entry : ranks.get(rank).entries()) {
                Holders holders =
                        union.computeIfAbsent(entry.key(), key -> new Holders(entry.content(), new ArrayList<>()));
                if (holders.content() != entry.content()) {
                    Conflict conflict =
                            new Conflict(entry.key(), holders.ranks().get(0), rank);
                    return new BootstrapAgreement(Optional.of(conflict), List.of());
                }
                holders.ranks().add(rank);
            }
        }
        return new BootstrapAgreement(Optional.empty(), services(union, ranks.size()));
    }

    /** Ordered by destination, so that any two ranks meet in the same order. The holders take turns. */
    private static List<Service> services(Map<Long, Holders> union, int size) {
        Map<Integer, Map<Integer, List<Long>>> byDestination = new TreeMap<>();
        union.forEach((key, holders) -> {
            for (int rank = 0; rank < size; rank++) {
                if (!holders.ranks().contains(rank)) {
                    int source = holders.ranks().get(rank % holders.ranks().size());
                    byDestination
                            .computeIfAbsent(rank, none -> new TreeMap<>())
                            .computeIfAbsent(source, none -> new ArrayList<>())
                            .add(key);
                }
            }
        });
        List<Service> services = new ArrayList<>();
        byDestination.forEach((destination, bySource) ->
                bySource.forEach((source, keys) -> services.add(new Service(source, destination, keys))));
        return services;
    }
}
