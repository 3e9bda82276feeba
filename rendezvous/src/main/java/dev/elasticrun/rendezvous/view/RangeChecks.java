/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks views once per period, all in one transaction, in case their watches missed something: by the revisions of
 * what was written since, and by the number of keys, which reveals deletions. Costs next to nothing when nothing
 * happened. Owned by the loop.
 */
public final class RangeChecks {
    private static final Duration RETRY = Duration.ofMillis(100);

    private final RendezvousStore store;
    private final EventLoop loop;
    private final Duration period;
    private final List<RangeView> views;
    private boolean closed;
    private EventLoop.@Nullable Timer timer;

    RangeChecks(RendezvousStore store, EventLoop loop, Duration period, List<RangeView> views) {
        this.store = store;
        this.loop = loop;
        this.period = period;
        this.views = List.copyOf(views);
    }

    public void start() {
        loop.assertInLoop();
        checkLater(period);
    }

    public void close() {
        loop.assertInLoop();
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void check() {
        // The others are being listed anyway.
        List<RangeView> listed = views.stream().filter(RangeView::listed).toList();
        if (listed.isEmpty()) {
            checkLater(period);
            return;
        }
        List<Operation.Get> asked = listed.stream().map(RangeView::check).toList();
        store.commit(new Transaction(List.of(), List.copyOf(asked), List.of()))
                .whenComplete((result, error) -> loop.execute(() -> {
                    if (closed) {
                        return;
                    }
                    for (int i = 0; error == null && i < listed.size(); i++) {
                        listed.get(i).checked(asked.get(i), result.reads().get(i));
                    }
                    checkLater(error == null ? period : RETRY);
                }));
    }

    private void checkLater(Duration delay) {
        timer = loop.schedule(delay, this::check);
    }
}
