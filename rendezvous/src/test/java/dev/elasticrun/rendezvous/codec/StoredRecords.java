/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.elasticrun.proto.TargetRecord;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import java.io.UncheckedIOException;
import java.util.List;

/** What is in the store, for tests of other packages. */
public final class StoredRecords {
    private StoredRecords() {}

    public static Round round(byte[] bytes) {
        return RecordCodec.decodeRound(bytes, "");
    }

    public static NodeRecord node(byte[] bytes) {
        return RecordCodec.decodeNode(bytes);
    }

    /** What was asked, with what became of it; that is empty while it waits. */
    public static CommandResult command(KeyValue entry) {
        CommandCodec.Stored stored = CommandCodec.decode(entry);
        return stored.settled().orElse(new CommandResult(stored.command(), false, "", -1));
    }

    /** The smallest and the greatest number of nodes. */
    public static List<Integer> target(KeyValue entry) {
        NodeBounds target =
                CommandCodec.target(entry, RunSpecs.of(incarnationOfTarget(entry), RunSpecs.terms(0, 0, "", 0)));
        return List.of(target.minNodes(), target.maxNodes());
    }

    private static String incarnationOfTarget(KeyValue entry) {
        try {
            return TargetRecord.parseFrom(entry.value()).getIncarnation();
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Verdict verdict(byte[] bytes) {
        return RecordCodec.decodeVerdict(bytes);
    }
}
