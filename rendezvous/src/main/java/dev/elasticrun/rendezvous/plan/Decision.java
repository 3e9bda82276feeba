/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;

/** What the coordinator does next. */
public sealed interface Decision {

    /** Nothing until something changes. */
    record Idle() implements Decision {}

    /** Look again at {@code untilNanos}, or when something changes. {@link Long#MAX_VALUE}: only then. */
    record Wait(long untilNanos) implements Decision {}

    /** Publish a round: sealed, or suspended. */
    record Publish(Round round) implements Decision {}

    /** End the run. */
    record End(Verdict verdict) implements Decision {}
}
