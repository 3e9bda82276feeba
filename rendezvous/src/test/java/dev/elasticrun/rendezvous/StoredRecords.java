/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

/** What is in the store, for tests of other packages. */
public final class StoredRecords {
    private StoredRecords() {}

    public static Round round(byte[] bytes) {
        return RecordCodec.decodeRound(bytes, "");
    }

    public static NodeRecord node(byte[] bytes) {
        return RecordCodec.decodeNode(bytes);
    }

    public static Verdict verdict(byte[] bytes) {
        return RecordCodec.decodeVerdict(bytes);
    }
}
