/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.List;

/** Receives what happens in a watched range. Called by one thread at a time, never after {@link #onFailed}. */
public interface WatchListener {

    /**
     * Changes of one or more revisions, in order.
     *
     * @param revision the store's revision when the events were sent
     */
    void onEvents(long revision, List<WatchEvent> events);

    /** The watch is dead: the connection broke, or the revision was compacted away. */
    void onFailed(StoreException cause);

    /** One change. */
    sealed interface WatchEvent {
        record Written(KeyValue entry) implements WatchEvent {}

        record Deleted(String key, long revision) implements WatchEvent {}
    }
}
