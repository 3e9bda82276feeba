/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import java.util.List;

/**
 * What a run has used of its restart budget, as of the moment at which a coordinator decided on the record that contains
 * it. Ages, not times: no two hosts compare clocks, and whoever reads the record adds the time since it first saw it.
 *
 * @param total restarts charged since the run began
 * @param counted those of them that still use the budget
 * @param returned those of them that came back by progress
 * @param agesMillis with a window only: how long ago each counted one was charged, the oldest first
 * @param progressMillis with a refund only: how much of the time towards the next refund is over
 */
public record UsedRestarts(int total, int counted, int returned, List<Long> agesMillis, long progressMillis) {
    public static final UsedRestarts NONE = new UsedRestarts(0, 0, 0, List.of(), 0);

    public UsedRestarts {
        agesMillis = List.copyOf(agesMillis);
    }
}
