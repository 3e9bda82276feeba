/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Watches: complete, in order, and silent once closed. */
abstract class WatchContract extends StoreContract {
    @Test
    void watch_fromAnOldRevision_reportsHistoryThenNews() {
        long first = put("a", "1");
        put("a", "2");
        delete("a");
        RecordingWatchListener listener = new RecordingWatchListener();

        try (Watch watch = store().watch(all(), first, listener)) {
            assertThat(watch).isNotNull();
            awaitEvents(listener, 3);
            put("b", "3");
            awaitEvents(listener, 4);
        }

        String a = key("a");
        assertThat(listener.shown()).containsExactly("+" + a + "=1", "+" + a + "=2", "-" + a, "+" + key("b") + "=3");
        assertThat(listener.revisions()).isSorted();
    }

    @Test
    void watch_fromAFutureRevision_skipsWhatIsBefore() {
        RecordingWatchListener listener = new RecordingWatchListener();
        long now = put("a", "0");

        try (Watch watch = store().watch(all(), now + 3, listener)) {
            assertThat(watch).isNotNull();
            put("a", "1");
            put("a", "2");
            put("a", "3");
            awaitEvents(listener, 1);
        }

        assertThat(listener.shown()).containsExactly("+" + key("a") + "=3");
    }

    @Test
    void watch_ofOneKey_ignoresOthers() {
        RecordingWatchListener listener = new RecordingWatchListener();
        long from = put("a", "0") + 1;

        try (Watch watch = store().watch(KeyRange.key(key("a")), from, listener)) {
            assertThat(watch).isNotNull();
            put("aa", "no");
            put("b", "no");
            long lease = get(store().grantLease(Duration.ofSeconds(2)));
            putLeased("a", lease);
            get(store().revokeLease(lease));
            awaitEvents(listener, 2);
        }

        assertThat(listener.shown()).containsExactly("+" + key("a") + "=leased", "-" + key("a"));
    }

    @Test
    void watch_underLoad_keepsOrderAndLosesNothing() {
        int writes = 300;
        RecordingWatchListener listener = new RecordingWatchListener();
        long from = put("start", "0") + 1;

        try (Watch watch = another().watch(all(), from, listener)) {
            assertThat(watch).isNotNull();
            List<CompletableFuture<TransactionResult>> results = new ArrayList<>();
            for (int i = 0; i < writes; i++) {
                results.add(store().commit(new Transaction(
                        List.of(), List.of(write("k" + i % 7, Integer.toString(i))), List.of())));
            }
            results.forEach(this::get);
            awaitEvents(listener, writes);
        }

        List<Long> revisions = listener.events().stream()
                .map(event -> ((WatchListener.WatchEvent.Written) event).entry().modRevision())
                .toList();
        assertThat(revisions).hasSize(writes).isSorted().doesNotHaveDuplicates();
        assertThat(listener.failures()).isEmpty();
    }

    @Test
    void watch_closed_reportsNothingMore() {
        RecordingWatchListener closed = new RecordingWatchListener();
        RecordingWatchListener open = new RecordingWatchListener();
        long from = put("a", "0") + 1;

        store().watch(all(), from, closed).close();
        try (Watch watch = store().watch(all(), from, open)) {
            assertThat(watch).isNotNull();
            put("a", "1");
            awaitEvents(open, 1);
        }

        assertThat(closed.events()).isEmpty();
        assertThat(closed.failures()).isEmpty();
    }
}
