/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.time.Duration;
import java.util.List;

/**
 * This rank has waited for peers for longer than {@code --operation-timeout}. Their processes answer, or were not
 * probed yet, but their programs make no call that matches this one. The message names the operation, where the program
 * made it, the ranks and the time.
 *
 * <p>The collective is over and the connections of this rank are closed: let the program fail, so that the restart
 * policy of the run answers. The other ranks see {@link WorldChangedException}, or continue with the process that takes
 * this one's place.
 */
public final class CollectiveTimeoutException extends RuntimeException {
    private final transient List<Integer> ranks;
    private final transient Duration waited;

    public CollectiveTimeoutException(String message, List<Integer> ranks, Duration waited) {
        super(message);
        this.ranks = List.copyOf(ranks);
        this.waited = waited;
    }

    /** The peers that were waited for at the end; they may have waited for others in turn. */
    public List<Integer> ranks() {
        return ranks;
    }

    /** How long. */
    public Duration waited() {
        return waited;
    }
}
