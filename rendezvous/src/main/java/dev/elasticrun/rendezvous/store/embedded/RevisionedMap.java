/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * etcd's keys with revisions, in memory. Writes gather until {@link #commit} gives all of them the next revision; reads
 * see them at once. Old revisions stay readable until they are compacted, which happens by itself when the history
 * grows beyond its bounds.
 *
 * <p>Ranges are etcd's: an empty end means one key, an end of one zero byte means all keys from the first on.
 *
 * <p>Not thread-safe: owned by the server's thread.
 */
final class RevisionedMap {
    private static final ByteString TO_THE_END = ByteString.copyFrom(new byte[] {0});

    private static final long NEVER_COMPACTED = -1;

    private final int maxRevisions;
    private final long maxHistoryBytes;
    private final NavigableMap<ByteString, KeyValue> entries =
            new TreeMap<>(ByteString.unsignedLexicographicalComparator());
    private final NavigableMap<Long, List<Change>> history = new TreeMap<>();
    private List<Change> pending = new ArrayList<>();
    private long revision = 1;
    private long oldestRevision = NEVER_COMPACTED;
    private long historyBytes;

    RevisionedMap(int maxRevisions, long maxHistoryBytes) {
        this.maxRevisions = maxRevisions;
        this.maxHistoryBytes = maxHistoryBytes;
    }

    /** The newest committed revision; 1 when nothing was ever written. */
    long revision() {
        return revision;
    }

    /** What a read inside the running write sees: the revision that its changes will get, if there are any. */
    long visibleRevision() {
        return pending.isEmpty() ? revision : revision + 1;
    }

    /** The oldest revision that can be read and watched; -1 before the first compaction, as in etcd. */
    long oldestRevision() {
        return oldestRevision;
    }

    long historyBytes() {
        return historyBytes;
    }

    @Nullable
    KeyValue get(ByteString key) {
        return entries.get(key);
    }

    /**
     * Entries in key order as they were at a revision.
     *
     * @param atRevision 0 = now
     */
    Collection<KeyValue> range(ByteString key, ByteString end, long atRevision) {
        checkReadable(atRevision);
        if (atRevision <= 0 || atRevision == visibleRevision()) {
            return Collections.unmodifiableCollection(within(entries, key, end).values());
        }
        NavigableMap<ByteString, KeyValue> past = new TreeMap<>(within(entries, key, end));
        undo(past, pending, key, end);
        for (List<Change> changes :
                history.tailMap(atRevision, false).descendingMap().values()) {
            undo(past, changes, key, end);
        }
        return past.values();
    }

    void checkReadable(long atRevision) {
        if (atRevision > visibleRevision()) {
            throw EtcdErrors.futureRevision();
        }
        if (atRevision > 0 && atRevision < oldestRevision) {
            throw EtcdErrors.compacted();
        }
    }

    /** Writes a key and returns what was there. */
    @Nullable
    KeyValue put(ByteString key, ByteString value, long leaseId) {
        KeyValue before = entries.get(key);
        KeyValue after = KeyValue.newBuilder()
                .setKey(key)
                .setValue(value)
                .setLease(leaseId)
                .setModRevision(revision + 1)
                .setCreateRevision(before == null ? revision + 1 : before.getCreateRevision())
                .setVersion(before == null ? 1 : before.getVersion() + 1)
                .build();
        entries.put(key, after);
        pending.add(new Change(key, before, after, revision + 1));
        return before;
    }

    /** Deletes a range and returns what was there. */
    List<KeyValue> delete(ByteString key, ByteString end) {
        List<KeyValue> gone = List.copyOf(within(entries, key, end).values());
        for (KeyValue before : gone) {
            entries.remove(before.getKey());
            pending.add(new Change(before.getKey(), before, null, revision + 1));
        }
        return gone;
    }

    /** Ends the running write. Nothing was changed: an empty list, and the revision stays. */
    List<Change> commit() {
        if (pending.isEmpty()) {
            return List.of();
        }
        List<Change> changes = List.copyOf(pending);
        pending = new ArrayList<>();
        revision++;
        history.put(revision, changes);
        historyBytes += bytes(changes);
        long oldest = oldestRevision;
        while (history.size() > maxRevisions || (historyBytes > maxHistoryBytes && history.size() > 1)) {
            dropOldest();
            oldest = history.firstKey();
        }
        oldestRevision = oldest;
        return changes;
    }

    /** Forgets what was before a revision. */
    void compact(long toRevision) {
        if (toRevision > revision) {
            throw EtcdErrors.futureRevision();
        }
        if (toRevision <= oldestRevision) {
            throw EtcdErrors.compacted();
        }
        while (!history.isEmpty() && history.firstKey() < toRevision) {
            dropOldest();
        }
        oldestRevision = toRevision;
    }

    /** All changes from a revision on, oldest first. */
    Collection<List<Change>> changesFrom(long fromRevision) {
        return Collections.unmodifiableCollection(
                history.tailMap(fromRevision, true).values());
    }

    static boolean contains(ByteString key, ByteString end, ByteString candidate) {
        if (end.isEmpty()) {
            return key.equals(candidate);
        }
        return compare(key, candidate) <= 0 && (end.equals(TO_THE_END) || compare(candidate, end) < 0);
    }

    static boolean isEmptyRange(ByteString key, ByteString end) {
        return !end.isEmpty() && !end.equals(TO_THE_END) && compare(key, end) >= 0;
    }

    static int compare(ByteString one, ByteString other) {
        return ByteString.unsignedLexicographicalComparator().compare(one, other);
    }

    private void dropOldest() {
        Map.Entry<Long, List<Change>> oldest = history.pollFirstEntry();
        historyBytes -= bytes(oldest.getValue());
    }

    private static long bytes(List<Change> changes) {
        return changes.stream().mapToLong(Change::bytes).sum();
    }

    private static void undo(
            NavigableMap<ByteString, KeyValue> past, List<Change> changes, ByteString key, ByteString end) {
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change change = changes.get(i);
            KeyValue before = change.before();
            if (!contains(key, end, change.key())) {
                continue;
            }
            if (before == null) {
                past.remove(change.key());
            } else {
                past.put(change.key(), before);
            }
        }
    }

    private static NavigableMap<ByteString, KeyValue> within(
            NavigableMap<ByteString, KeyValue> map, ByteString key, ByteString end) {
        if (end.isEmpty()) {
            return map.subMap(key, true, key, true);
        }
        if (end.equals(TO_THE_END)) {
            return map.tailMap(key, true);
        }
        return isEmptyRange(key, end) ? Collections.emptyNavigableMap() : map.subMap(key, true, end, false);
    }
}
