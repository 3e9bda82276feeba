/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import dev.elasticrun.proto.AbsenceKind;
import dev.elasticrun.proto.AbsenceRecord;
import dev.elasticrun.proto.HistoryRecord;
import dev.elasticrun.proto.LinkRecord;
import dev.elasticrun.proto.TroubleRecord;
import dev.elasticrun.rendezvous.record.FailureHistory;

/** Encodes and decodes the part of the round's record about earlier rounds. */
final class HistoryCodec {
    private static final String ABSENCE = "ABSENCE_";

    private HistoryCodec() {}

    static HistoryRecord toProto(FailureHistory history) {
        HistoryRecord.Builder builder = HistoryRecord.newBuilder().setCollateralRestarts(history.collateralRestarts());
        for (FailureHistory.Trouble trouble : history.troubles()) {
            builder.addTroubles(TroubleRecord.newBuilder()
                    .setNodeId(trouble.nodeId())
                    .setHostLabel(trouble.hostLabel())
                    .setSeenRevision(trouble.seenRevision())
                    .setStrikes(trouble.strikes())
                    .setFailures(trouble.failures())
                    .setOthersStrikes(trouble.others().strikes())
                    .setOthersFailures(trouble.others().failures())
                    .setExcluded(trouble.excluded())
                    .setBrokenLinkTo(trouble.brokenLinkTo()));
        }
        for (FailureHistory.Link link : history.brokenLinks()) {
            builder.addBrokenLinks(
                    LinkRecord.newBuilder().setOneNode(link.oneNode()).setOtherNode(link.otherNode()));
        }
        for (FailureHistory.Absence absence : history.absences()) {
            builder.addAbsences(AbsenceRecord.newBuilder()
                    .setNodeId(absence.nodeId())
                    .setKind(AbsenceKind.valueOf(ABSENCE + absence.how().name())));
        }
        return builder.build();
    }

    static FailureHistory fromProto(HistoryRecord stored) {
        return new FailureHistory(
                stored.getTroublesList().stream()
                        .map(trouble -> new FailureHistory.Trouble(
                                trouble.getNodeId(),
                                trouble.getHostLabel(),
                                trouble.getSeenRevision(),
                                new FailureHistory.Counts(trouble.getStrikes(), trouble.getFailures()),
                                new FailureHistory.Counts(trouble.getOthersStrikes(), trouble.getOthersFailures()),
                                trouble.getExcluded(),
                                trouble.getBrokenLinkTo()))
                        .toList(),
                stored.getBrokenLinksList().stream()
                        .map(link -> new FailureHistory.Link(link.getOneNode(), link.getOtherNode()))
                        .toList(),
                stored.getAbsencesList().stream()
                        .map(absence -> new FailureHistory.Absence(
                                absence.getNodeId(),
                                FailureHistory.Absence.How.valueOf(
                                        absence.getKind().name().substring(ABSENCE.length()))))
                        .toList(),
                stored.getCollateralRestarts());
    }
}
