/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchCreateRequest.FilterType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one watch wants to see.
 *
 * @param end see {@link RevisionedMap}
 */
record Watcher(
        long id, ByteString key, ByteString end, long fromRevision, boolean previous, boolean puts, boolean deletes) {
    private static final ByteString FIRST_KEY = ByteString.copyFrom(new byte[] {0});

    static Watcher of(long id, WatchCreateRequest request, long fromRevision) {
        List<FilterType> filters = request.getFiltersList();
        return new Watcher(
                id,
                request.getKey().isEmpty() ? FIRST_KEY : request.getKey(),
                request.getRangeEnd(),
                fromRevision,
                request.getPrevKv(),
                !filters.contains(FilterType.NOPUT),
                !filters.contains(FilterType.NODELETE));
    }

    /** The changes that it wants, as events. */
    List<Event> events(List<Change> changes) {
        return changes.stream().filter(this::wants).map(this::event).toList();
    }

    private boolean wants(Change change) {
        return change.revision() >= fromRevision
                && (change.after() == null ? deletes : puts)
                && RevisionedMap.contains(key, end, change.key());
    }

    private Event event(Change change) {
        @Nullable KeyValue before = change.before();
        @Nullable KeyValue after = change.after();
        Event.Builder event = Event.newBuilder();
        if (after == null) {
            event.setType(Event.EventType.DELETE)
                    .setKv(KeyValue.newBuilder().setKey(change.key()).setModRevision(change.revision()));
        } else {
            event.setKv(after);
        }
        if (previous && before != null) {
            event.setPrevKv(before);
        }
        return event.build();
    }
}
