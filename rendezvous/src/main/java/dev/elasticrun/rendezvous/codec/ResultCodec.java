/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.elasticrun.proto.ResultRecord;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.HandedResult;

/** Between results of workers and the bytes that the store keeps. */
public final class ResultCodec {
    // Not among the schemas that agents compare: one without results is of no harm to a run.
    private static final int SCHEMA = 1;

    private ResultCodec() {}

    public static byte[] encode(HandedResult result, String incarnation) {
        return ResultRecord.newBuilder()
                .setSchema(SCHEMA)
                .setIncarnation(incarnation)
                .setAttempt(result.attempt())
                .setContent(ByteString.copyFrom(result.content()))
                .setRefused(result.refusedBecause())
                .build()
                .toByteArray();
    }

    static HandedResult decode(byte[] bytes) {
        try {
            ResultRecord stored = ResultRecord.parseFrom(bytes);
            StoredSchemas.check("result", stored.getSchema(), SCHEMA);
            return stored.getRefused().isEmpty()
                    ? HandedResult.of(stored.getAttempt(), stored.getContent().toByteArray())
                    : HandedResult.refused(stored.getAttempt(), stored.getRefused());
        } catch (InvalidProtocolBufferException e) {
            throw new CorruptRecordException("not a result", e);
        }
    }
}
