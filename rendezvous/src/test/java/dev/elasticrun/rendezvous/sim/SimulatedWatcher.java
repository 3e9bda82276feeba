/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import dev.elasticrun.rendezvous.store.WatchListener.WatchEvent;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** One client's watch: late, and in order. */
final class SimulatedWatcher implements Watch {
    private final SimulatedTime time;
    private final Random random;
    private final SimulatedStoreClient client;
    private final KeyRange range;
    private final long fromRevision;
    private final WatchListener listener;
    private final SimulatedStore store;
    private long lastNanos;
    private boolean deaf;
    private boolean failed;
    private boolean closed;

    SimulatedWatcher(
            SimulatedTime time,
            Random random,
            SimulatedStoreClient client,
            KeyRange range,
            long fromRevision,
            WatchListener listener,
            SimulatedStore store) {
        this.time = time;
        this.random = random;
        this.client = client;
        this.range = range;
        this.fromRevision = fromRevision;
        this.listener = listener;
        this.store = store;
    }

    void report(long revision, List<WatchEvent> events) {
        List<WatchEvent> seen = events.stream()
                .filter(event -> range.contains(
                        event instanceof WatchEvent.Written written
                                ? written.entry().key()
                                : ((WatchEvent.Deleted) event).key()))
                .toList();
        if (revision >= fromRevision && !seen.isEmpty() && !deaf) {
            later(() -> {
                listener.onEvents(revision, seen);
                client.learn(range, revision);
            });
        }
    }

    void fail(String why) {
        store.forget(this);
        later(() -> {
            failed = true;
            listener.onFailed(new StoreException(why, null));
        });
    }

    /** Nothing comes any more, and nothing shows it. */
    void deafen() {
        deaf = true;
    }

    boolean dead() {
        return client.process().dead();
    }

    private void later(Runnable task) {
        int slow = random.nextInt(20) == 0 ? 400 : 4;
        long at = time.nowNanos() + Duration.ofMillis(1 + random.nextInt(slow)).toNanos();
        lastNanos = Math.max(lastNanos, at);
        deliver(Duration.ofNanos(lastNanos - time.nowNanos()), task);
    }

    /** What cannot pass now waits in the connection, or is found to be lost with it. */
    private void deliver(Duration delay, Runnable task) {
        client.process().outside(delay, () -> {
            if (closed || failed) {
                return;
            }
            if (client.receivesNothing()) {
                deaf = true;
                client.onMended(() -> fail("the connection was reset"));
            } else {
                task.run();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        store.forget(this);
    }
}
