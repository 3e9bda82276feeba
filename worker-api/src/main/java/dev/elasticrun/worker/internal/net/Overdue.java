/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import java.time.Duration;
import java.util.List;

/**
 * A wait that is over because it took too long.
 *
 * @param round in which it was
 * @param ranks of the peers that were waited for, ascending
 * @param waited for the one that was waited for longest
 */
public record Overdue(long round, List<Integer> ranks, Duration waited) {

    /** @param site where the program made the call */
    public CollectiveTimeoutException during(String what, String site) {
        return new CollectiveTimeoutException(
                what + " at " + site + " waited " + waited.toMillis() + " ms for ranks " + ranks + " of round " + round
                        + ": their processes may live, but their programs do not get there (--operation-timeout)",
                ranks,
                waited);
    }
}
