/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what is in a range of keys, and then what changes, for as long as it is open: a watch that dies is followed by all of
 * the range again. Changes come one at a time, on threads of the store.
 */
public final class StoreMirror implements AutoCloseable {
    private static final long RETRY_MILLIS = 200;

    private final RendezvousStore store;
    private final KeyRange range;
    private final Consumer<Change> sink;
    // Guarded by this.
    private @Nullable Watch watch;
    private boolean isClosed;

    /** What is, or has become, of the range. */
    public sealed interface Change {
        /** All that there is; nothing else counts any more. */
        record All(List<KeyValue> entries) implements Change {}

        record Written(KeyValue entry) implements Change {}

        record Deleted(String key) implements Change {}

        /** The store does not answer; {@link All} follows once it does. */
        record Lost(Throwable cause) implements Change {}
    }

    private StoreMirror(RendezvousStore store, KeyRange range, Consumer<Change> sink) {
        this.store = store;
        this.range = range;
        this.sink = sink;
    }

    public static StoreMirror open(RendezvousStore store, KeyRange range, Consumer<Change> sink) {
        StoreMirror mirror = new StoreMirror(store, range, sink);
        mirror.list();
        return mirror;
    }

    private void list() {
        store.range(range).whenComplete((found, error) -> {
            if (error != null) {
                lost(error);
            } else {
                follow(found);
            }
        });
    }

    private synchronized void follow(KeyValues found) {
        if (!isClosed) {
            sink.accept(new Change.All(found.entries()));
            watch = store.watch(range, found.revision() + 1, new Follower());
        }
    }

    private void lost(Throwable cause) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            sink.accept(new Change.Lost(cause));
        }
        Executor later = CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        later.execute(this::list);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (watch != null) {
            watch.close();
        }
    }

    private final class Follower implements WatchListener {
        @Override
        public void onEvents(long revision, List<WatchEvent> events) {
            synchronized (StoreMirror.this) {
                if (!isClosed) {
                    events.forEach(event -> sink.accept(change(event)));
                }
            }
        }

        private static Change change(WatchEvent event) {
            return event instanceof WatchEvent.Written written
                    ? new Change.Written(written.entry())
                    : new Change.Deleted(((WatchEvent.Deleted) event).key());
        }

        @Override
        public void onFailed(StoreException cause) {
            lost(cause);
        }
    }
}
