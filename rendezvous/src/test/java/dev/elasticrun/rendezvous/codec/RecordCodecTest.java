/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.proto.SpecRecord;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.MasterEndpoint;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.OtherSchemaException;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.UsedMaster;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class RecordCodecTest {
    private static final byte[] NOISE = {(byte) 0xff, 1, 2, 3};
    private static final Failure FAILURE = new Failure(
                    new Failure.Worker("a", "host", 1, 2, 5, 77),
                    4,
                    137,
                    new Failure.Evidence(
                            FailureKind.HANG, "boom", "at X", List.of("one", "two"), "/logs/stderr.log", ""),
                    true,
                    0)
            .heldFor(250);

    @ParameterizedTest
    @EnumSource
    void failureKind_travels(FailureKind kind) {
        Failure failure = new Failure(FAILURE.worker(), 4, 137, Failure.Evidence.of(kind, "what was found"), false, 0);
        Verdict failed = new Verdict(false, 4, "no restart is left", List.of(failure), List.of());

        assertThat(RecordCodec.decodeVerdict(RecordCodec.encode(failed, "i"))).isEqualTo(failed);
    }

    static List<LocalProtection> protections() {
        return List.of(LocalProtection.copies(0), LocalProtection.copies(2), LocalProtection.parity(4));
    }

    @ParameterizedTest
    @MethodSource("protections")
    void spec_roundTrip_isEqual(LocalProtection locals) {
        RunSpec spec = new RunSpec(
                "i",
                new RunTerms(
                        new NodeBounds(2, 3),
                        "hard",
                        "none",
                        "on",
                        locals,
                        new RestartBudget(5, Duration.ofHours(1), Duration.ofMinutes(10))),
                new byte[] {1, 2, 3},
                new byte[0],
                0);

        RunSpec decoded = RecordCodec.decodeSpec(RecordCodec.encode(spec));

        assertThat(decoded).usingRecursiveComparison().isEqualTo(spec);
    }

    @ParameterizedTest
    @EnumSource
    void node_roundTripInEachPhase_isEqual(NodePhase phase) {
        NodeRecord node = new NodeRecord(
                new NodeSpec("a", "host", "10.0.0.1", 9000, "trainer", 2),
                phase,
                new NodeRecord.Group(
                        3,
                        List.of(new WorkerRecord(0, 3, 100, 4000), new WorkerRecord(1, 3, 101, 4001, false, 9)),
                        List.of(FAILURE),
                        5000),
                new NodeRecord.Rounds(4, 5),
                new NodeRecord.Reports(
                        List.of(new PeerLost(4, 1, 2)),
                        phase == NodePhase.DONE ? FAILURE : null,
                        phase == NodePhase.ACTIVE ? "2 of 8 disks are gone" : "",
                        phase == NodePhase.READY ? 0 : NodeRecord.Reports.ANY_PLACE),
                HeldVersion.of(3, 4, 17),
                new NodeRecord.Publication(Long.MAX_VALUE, List.of(40L, Long.MAX_VALUE), 7));
        byte[] bytes = RecordCodec.encode(node, "i");

        assertThat(RecordCodec.decodeNode(bytes)).isEqualTo(node);
        assertThat(RecordCodec.incarnationOfNode(bytes)).isEqualTo("i");
    }

    @ParameterizedTest
    @EnumSource
    void round_roundTripWithEachChange_isEqual(WorldChange change) {
        Round round = new Round(
                7,
                true,
                new Round.Ranks(
                        6,
                        List.of(new Participant(
                                new NodeSpec("a", "host", "10.0.0.1", 9000, "trainer", 2),
                                40,
                                1,
                                0,
                                List.of(new Participant.Seat(0, 1, 4000), new Participant.Seat(1, 0, 4001)))),
                        List.of("b", "c"),
                        new MasterEndpoint("10.0.0.1", 5000),
                        List.of(new StateSource("c", "10.0.0.3", 9001, HeldVersion.of(4, 5, 20), true))),
                new Round.Reason(
                        List.of(new Cause.NodesLost(List.of("b")), new Cause.NodesJoined(2), new Cause.Policy("")),
                        change,
                        8),
                List.of(new Order("b", Order.Kind.LEAVE, 1), new Order("c", Order.Kind.RESTART, 2)),
                new Round.Ledger(
                        new UsedRestarts(9, 2, 4, List.of(61_000L, 0L), 1_500),
                        3,
                        new RunVersion(4, 19),
                        new FailureHistory(
                                List.of(new FailureHistory.Trouble(
                                        "b",
                                        "host-b",
                                        41,
                                        new FailureHistory.Counts(2, 1),
                                        new FailureHistory.Counts(4, 3),
                                        "disk",
                                        "a")),
                                List.of(FailureHistory.Link.between("b", "a")),
                                List.of(
                                        new FailureHistory.Absence("b", FailureHistory.Absence.How.LEFT_OUT),
                                        new FailureHistory.Absence("c", FailureHistory.Absence.How.FAILED)),
                                1),
                        List.of(new UsedMaster(40, 5000, 12), new UsedMaster(41, 5001, 1))),
                4);

        assertThat(RecordCodec.decodeRound(RecordCodec.encode(round, "i"), "")).isEqualTo(round);
    }

    @Test
    void verdict_roundTrip_isEqual() {
        Verdict failed = new Verdict(
                false,
                4,
                "no restart is left",
                List.of(FAILURE),
                List.of(new Cause.WorkersFailed(List.of("a"), List.of(), true)));
        Verdict succeeded = Verdict.success("done");

        assertThat(RecordCodec.decodeVerdict(RecordCodec.encode(failed, "i"))).isEqualTo(failed);
        assertThat(RecordCodec.decodeVerdict(RecordCodec.encode(succeeded, "i")))
                .isEqualTo(succeeded);
    }

    @Test
    void decode_anotherSchema_isRefusedWithBoth() {
        byte[] newer =
                SpecRecord.newBuilder().setSchema(3).setVersion("0.9.0").build().toByteArray();

        assertThatThrownBy(() -> RecordCodec.decodeSpec(newer))
                .isInstanceOf(OtherSchemaException.class)
                .hasMessageContaining("started by elastic-run 0.9.0 with the stored schema spec 3 (expected: spec 2, ");
        assertThatThrownBy(() -> RecordCodec.decodeRound(new byte[0], ""))
                .isInstanceOf(OtherSchemaException.class)
                .hasMessageContaining("round: schema 0 (expected: ");
    }

    /** Also where the record itself has not changed: whoever joins would meet the others later. */
    @Test
    void spec_ofARunWithAnotherSchemaOfOtherRecords_isRefused() {
        byte[] newer = SpecRecord.newBuilder()
                .setSchema(RecordCodec.SPEC_SCHEMA)
                .setSchemas(StoredSchemas.OWN.replace("node 1", "node 2"))
                .build()
                .toByteArray();

        assertThatThrownBy(() -> RecordCodec.decodeSpec(newer))
                .isInstanceOf(OtherSchemaException.class)
                .hasMessageContaining("node 2", "of a version that is not stated");
    }

    @Test
    void spec_withoutWhatNewerVersionsState_isRead() {
        byte[] older = SpecRecord.newBuilder()
                .setSchema(RecordCodec.SPEC_SCHEMA)
                .setIncarnation("i")
                .setMinNodes(1)
                .setMaxNodes(2)
                .setPolicy("hard")
                .build()
                .toByteArray();

        assertThat(RecordCodec.decodeSpec(older).incarnation()).isEqualTo("i");
    }

    @Test
    void decode_noise_isRefusedWithTheKey() {
        assertThatThrownBy(() -> RecordCodec.decodeSpec(NOISE))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("spec: 4 bytes");
        assertThatThrownBy(() -> RecordCodec.decodeNode(NOISE))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("nodes/<nodeId>: 4 bytes");
        assertThatThrownBy(() -> RecordCodec.decodeRound(NOISE, ""))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("round: 4 bytes");
        assertThatThrownBy(() -> RecordCodec.decodeVerdict(NOISE))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("verdict: 4 bytes");
    }
}
