/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A range of the store, kept current: listed at a revision, watched from the next, and started over on any error.
 * {@link RangeChecks} look now and then whether the watch lied. Owned by the loop.
 */
public final class RangeView {
    private static final Logger LOG = LoggerFactory.getLogger(RangeView.class);
    /** Always the same: a watch that fails after each listing that succeeds must not be tried faster. */
    private static final Duration RETRY = Duration.ofMillis(100);

    private final RendezvousStore store;
    private final EventLoop loop;
    private final KeyRange range;
    private final Runnable onChange;
    private final SortedMap<String, KeyValue> entries = new TreeMap<>();
    private @Nullable Watch watch;
    private EventLoop.@Nullable Timer timer;
    private long revision;
    // The revision of the last listing of the range; events are only hints.
    private long readRevision;

    private boolean listed;
    private boolean closed;
    // Distinguishes events of an older watch from those of the current one.
    private int watchNumber;

    RangeView(RendezvousStore store, EventLoop loop, KeyRange range, Runnable onChange) {
        this.store = store;
        this.loop = loop;
        this.range = range;
        this.onChange = onChange;
    }

    public void start() {
        loop.assertInLoop();
        list();
    }

    /** Like {@link #start()}, from what {@link #whole} gave. */
    public void start(KeyValues initial) {
        loop.assertInLoop();
        loop.execute(() -> {
            if (!closed) {
                onListed(initial);
            }
        });
    }

    public void close() {
        loop.assertInLoop();
        closed = true;
        stopWatch();
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Whether the range was read at least once. */
    public boolean listed() {
        return listed;
    }

    /** Up to which revision of the store the entries are known. */
    public long revision() {
        return revision;
    }

    public SortedMap<String, KeyValue> entries() {
        return Collections.unmodifiableSortedMap(entries);
    }

    @Nullable
    public KeyValue entry(String key) {
        return entries.get(key);
    }

    /** For a transaction of ours: reads the range as it is then. */
    public Operation.Get whole() {
        return new Operation.Get(range);
    }

    /** For a transaction of ours: its answer shows whether we know the range as it is then. */
    public Operation.Get check() {
        return new Operation.Get(range, 0, readRevision, true);
    }

    /**
     * Lists again unless a transaction of ours found what we know.
     *
     * @param asked what {@link #check} gave for it
     */
    public void checked(Operation.Get asked, KeyValues read) {
        loop.assertInLoop();
        if (listed && asked.modifiedAfter() == readRevision && !agrees(read)) {
            list();
        }
    }

    // Whether the keys written since the last listing, and the number of all keys, are those that we know.
    private boolean agrees(KeyValues read) {
        if (read.revision() < revision) {
            return true;
        }
        boolean known = read.count() == entries.size()
                && read.entries().stream().allMatch(entry -> {
                    KeyValue ours = entries.get(entry.key());
                    return ours != null && ours.modRevision() == entry.modRevision();
                });
        if (known) {
            revision = read.revision();
            readRevision = read.revision();
        }
        return known;
    }

    private void list() {
        store.range(range)
                .whenComplete((result, error) -> loop.execute(() -> {
                    if (closed) {
                        return;
                    }
                    if (error != null) {
                        listLater();
                    } else {
                        onListed(result);
                    }
                }));
    }

    private void onListed(KeyValues result) {
        boolean changed = !listed || (result.revision() >= revision && differs(result));
        if (changed && listed && watch != null) {
            // Late by a moment, or deaf for good: a new watch is cheap and never deaf for longer than one period.
            LOG.debug("range={} a listing at revision {} has what the watch has not", range.from(), result.revision());
            stopWatch();
        }
        listed = true;
        if (result.revision() >= revision) {
            replace(result);
        }
        if (watch == null) {
            startWatch(result.revision() + 1);
        }
        if (changed) {
            onChange.run();
        }
    }

    private boolean differs(KeyValues result) {
        return result.entries().size() != entries.size()
                || result.entries().stream().anyMatch(entry -> {
                    KeyValue known = entries.get(entry.key());
                    return known == null || known.modRevision() != entry.modRevision();
                });
    }

    private void replace(KeyValues result) {
        entries.clear();
        result.entries().forEach(entry -> entries.put(entry.key(), entry));
        revision = result.revision();
        readRevision = result.revision();
    }

    private void listLater() {
        if (timer != null) {
            timer.cancel();
        }
        timer = loop.schedule(RETRY, this::list);
    }

    private void startWatch(long fromRevision) {
        int number = ++watchNumber;
        watch = store.watch(range, fromRevision, new WatchListener() {
            @Override
            public void onEvents(long at, List<WatchEvent> events) {
                loop.execute(() -> RangeView.this.onEvents(number, events));
            }

            @Override
            public void onFailed(StoreException cause) {
                loop.execute(() -> RangeView.this.onWatchFailed(number));
            }
        });
    }

    private void onEvents(int number, List<WatchListener.WatchEvent> events) {
        if (closed || number != watchNumber) {
            return;
        }
        boolean changed = false;
        // Not the revision of the answer: that of a watch which catches up is ahead of the events still to come.
        long newest = revision;
        for (WatchListener.WatchEvent event : events) {
            if (event instanceof WatchListener.WatchEvent.Written written) {
                if (written.entry().modRevision() > revision) {
                    entries.put(written.entry().key(), written.entry());
                    newest = Math.max(newest, written.entry().modRevision());
                    changed = true;
                }
            } else if (event instanceof WatchListener.WatchEvent.Deleted deleted && deleted.revision() > revision) {
                changed |= entries.remove(deleted.key()) != null;
                newest = Math.max(newest, deleted.revision());
            }
        }
        revision = newest;
        if (changed) {
            onChange.run();
        }
    }

    private void onWatchFailed(int number) {
        if (closed || number != watchNumber) {
            return;
        }
        stopWatch();
        listLater();
    }

    private void stopWatch() {
        watchNumber++;
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }
}
