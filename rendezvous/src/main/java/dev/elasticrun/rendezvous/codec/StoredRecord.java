/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.OtherSchemaException;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Decodes what a key holds; whatever is wrong with it is one exception that names the key and the size. */
public final class StoredRecord {
    private StoredRecord() {}

    public static RunSpec spec(KeyValue entry) {
        return decode(entry, RecordCodec::decodeSpec).withLease(entry.leaseId());
    }

    public static Round round(KeyValue entry) {
        return round(entry, "");
    }

    /** @param own the node that asks: its place is found on the way */
    public static Round round(KeyValue entry, String own) {
        return decode(entry, bytes -> RecordCodec.decodeRound(bytes, own));
    }

    public static Verdict verdict(KeyValue entry) {
        return decode(entry, RecordCodec::decodeVerdict);
    }

    public static HandedResult result(KeyValue entry) {
        return decode(entry, ResultCodec::decode);
    }

    public static Node node(KeyValue entry) {
        return new Node(decode(entry, RecordCodec::decodeNode), entry.createRevision());
    }

    public static RunVersion checkpoint(KeyValue entry) {
        return decode(entry, bytes -> RunVersion.parse(new String(bytes, StandardCharsets.US_ASCII)));
    }

    public static String incarnationOfNode(KeyValue entry) {
        return decode(entry, RecordCodec::incarnationOfNode);
    }

    private static <T> T decode(KeyValue entry, Function<byte[], T> decoder) {
        try {
            return decoder.apply(entry.value());
        } catch (OtherSchemaException e) {
            throw new OtherSchemaException(entry.key() + ": " + e.getMessage());
        } catch (CorruptRecordException | IllegalArgumentException e) {
            throw new CorruptRecordException(
                    "corrupt record: " + entry.key() + " of " + entry.value().length + " bytes, written at revision "
                            + entry.modRevision() + ": " + e.getMessage(),
                    e);
        }
    }
}
