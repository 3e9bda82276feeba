/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RevisionedMapTest {
    private static final ByteString ONE = ByteString.EMPTY;
    private static final ByteString TO_THE_END = ByteString.copyFrom(new byte[] {0});

    private final RevisionedMap map = new RevisionedMap(100, 1 << 20);

    @Test
    void put_newThenOld_countsVersionsAndKeepsTheCreateRevision() {
        put("a", "1");
        put("a", "2");

        KeyValue entry = Objects.requireNonNull(map.get(bytes("a")));
        assertThat(entry.getCreateRevision()).isEqualTo(2);
        assertThat(entry.getModRevision()).isEqualTo(3);
        assertThat(entry.getVersion()).isEqualTo(2);
        assertThat(map.revision()).isEqualTo(3);
    }

    @Test
    void put_afterDelete_startsAnew() {
        put("a", "1");
        delete("a");
        put("a", "2");

        KeyValue entry = Objects.requireNonNull(map.get(bytes("a")));
        assertThat(entry.getCreateRevision()).isEqualTo(4);
        assertThat(entry.getVersion()).isEqualTo(1);
    }

    @Test
    void commit_withoutChanges_keepsTheRevision() {
        map.delete(bytes("none"), ONE);

        assertThat(map.commit()).isEmpty();
        assertThat(map.revision()).isEqualTo(1);
    }

    @Test
    void commit_severalChanges_giveOneRevision() {
        map.put(bytes("a"), bytes("1"), 0);
        map.put(bytes("b"), bytes("2"), 0);
        assertThat(map.visibleRevision()).isEqualTo(2);
        assertThat(map.revision()).isEqualTo(1);

        assertThat(map.commit()).extracting(Change::revision).containsExactly(2L, 2L);
        assertThat(map.revision()).isEqualTo(2);
    }

    @Test
    void range_ofThePast_undoesLaterChanges() {
        put("a", "1");
        put("b", "1");
        put("a", "2");
        delete("b");
        put("c", "1");

        assertThat(show(2)).containsExactly("a=1");
        assertThat(show(3)).containsExactly("a=1", "b=1");
        assertThat(show(4)).containsExactly("a=2", "b=1");
        assertThat(show(5)).containsExactly("a=2");
        assertThat(show(0)).containsExactly("a=2", "c=1");
    }

    @Test
    void range_insideAWrite_seesItUnlessAnOlderRevisionIsAsked() {
        put("a", "1");
        map.put(bytes("a"), bytes("2"), 0);

        assertThat(show(0)).containsExactly("a=2");
        assertThat(show(2)).containsExactly("a=1");
    }

    @Test
    void range_bounds_areThoseOfEtcd() {
        for (String key : List.of("a", "a/1", "a/2", "a0", "b")) {
            put(key, "x");
        }

        assertThat(keys("a/", "a0")).containsExactly("a/1", "a/2");
        assertThat(keys("a", "")).containsExactly("a");
        assertThat(keys("b", "a")).isEmpty();
        assertThat(map.range(bytes("a0"), TO_THE_END, 0)).hasSize(2);
        assertThat(map.range(TO_THE_END, TO_THE_END, 0)).hasSize(5);
    }

    @Test
    void range_keysAboveAscii_areOrderedAsUnsignedBytes() {
        map.put(ByteString.copyFrom(new byte[] {(byte) 0xff}), bytes("x"), 0);
        map.put(ByteString.copyFrom(new byte[] {0x7f}), bytes("x"), 0);
        map.commit();

        assertThat(map.range(TO_THE_END, TO_THE_END, 0))
                .extracting(entry -> entry.getKey().byteAt(0))
                .containsExactly((byte) 0x7f, (byte) 0xff);
    }

    @Test
    void range_ofTheFuture_isRefused() {
        put("a", "1");

        assertThatThrownBy(() -> show(3)).hasMessageContaining("future revision");
    }

    @Test
    void compact_toARevision_keepsItAndForgetsTheOlder() {
        put("a", "1");
        put("a", "2");
        put("a", "3");

        map.compact(3);

        assertThat(show(3)).containsExactly("a=2");
        assertThat(map.changesFrom(0)).hasSize(2);
        assertThatThrownBy(() -> show(2)).hasMessageContaining("has been compacted");
        assertThatThrownBy(() -> map.compact(3)).hasMessageContaining("has been compacted");
        assertThatThrownBy(() -> map.compact(9)).hasMessageContaining("future revision");
    }

    @Test
    void commit_beyondTheRevisionBound_compactsTheOldest() {
        RevisionedMap small = new RevisionedMap(3, 1 << 20);
        for (int i = 0; i < 10; i++) {
            small.put(bytes("a"), bytes("x"), 0);
            small.commit();
        }

        assertThat(small.changesFrom(0)).hasSize(3);
        assertThat(small.oldestRevision()).isEqualTo(9);
        assertThat(small.range(bytes("a"), ONE, 9)).hasSize(1);
    }

    @Test
    void commit_beyondTheByteBound_compactsButKeepsTheNewest() {
        RevisionedMap small = new RevisionedMap(100, 10_000);
        for (int i = 0; i < 10; i++) {
            small.put(bytes("a"), ByteString.copyFrom(new byte[20_000]), 0);
            small.commit();
        }

        assertThat(small.changesFrom(0)).hasSize(1);
        assertThat(small.historyBytes()).isGreaterThan(0);
        assertThat(small.oldestRevision()).isEqualTo(small.revision());
    }

    private void put(String key, String value) {
        map.put(bytes(key), bytes(value), 0);
        map.commit();
    }

    private void delete(String key) {
        map.delete(bytes(key), ONE);
        map.commit();
    }

    private List<String> show(long revision) {
        return map.range(TO_THE_END, TO_THE_END, revision).stream()
                .map(entry ->
                        entry.getKey().toStringUtf8() + "=" + entry.getValue().toStringUtf8())
                .toList();
    }

    private List<String> keys(String from, String to) {
        return map.range(bytes(from), bytes(to), 0).stream()
                .map(entry -> entry.getKey().toStringUtf8())
                .toList();
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
