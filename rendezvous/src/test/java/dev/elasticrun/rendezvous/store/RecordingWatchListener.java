/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps all that it receives. */
public final class RecordingWatchListener implements WatchListener {
    private final List<WatchEvent> events = new CopyOnWriteArrayList<>();
    private final List<StoreException> failures = new CopyOnWriteArrayList<>();
    private final List<Long> revisions = new CopyOnWriteArrayList<>();

    @Override
    public void onEvents(long revision, List<WatchEvent> newEvents) {
        if (!failures.isEmpty()) {
            throw new IllegalStateException("events after the failure: " + newEvents);
        }
        revisions.add(revision);
        events.addAll(newEvents);
    }

    @Override
    public void onFailed(StoreException cause) {
        failures.add(cause);
    }

    public List<WatchEvent> events() {
        return List.copyOf(events);
    }

    public List<StoreException> failures() {
        return List.copyOf(failures);
    }

    public List<Long> revisions() {
        return List.copyOf(revisions);
    }

    /** Events in short: {@code +key=value} or {@code -key}. */
    public List<String> shown() {
        return events.stream().map(RecordingWatchListener::show).toList();
    }

    public RecordingWatchListener awaitEvents(int count) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> events.size() >= count || !failures.isEmpty());
        return this;
    }

    public RecordingWatchListener awaitFailure(Duration within) {
        await().atMost(within).pollInterval(Duration.ofMillis(5)).until(() -> !failures.isEmpty());
        return this;
    }

    private static String show(WatchEvent event) {
        if (event instanceof WatchEvent.Written written) {
            return "+" + written.entry().key() + "="
                    + new String(written.entry().value(), UTF_8);
        }
        return "-" + ((WatchEvent.Deleted) event).key();
    }
}
