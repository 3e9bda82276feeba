/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import java.time.Duration;
import java.util.List;

/**
 * The keys of one run in its store.
 *
 * @param loop in which answers are handled
 */
public record RunStore(RendezvousStore store, EventLoop loop, RunKeys keys) {

    /** @param onChange run in the loop */
    public RangeView view(KeyRange range, Runnable onChange) {
        return new RangeView(store, loop, range, onChange);
    }

    public RangeChecks checks(Duration period, List<RangeView> views) {
        return new RangeChecks(store, loop, period, views);
    }
}
