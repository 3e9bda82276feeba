/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.elasticrun.proto.FailureRecord;
import dev.elasticrun.proto.IncidentRecord;
import dev.elasticrun.proto.OrderKind;
import dev.elasticrun.proto.OrderRecord;
import dev.elasticrun.proto.PeerLostRecord;
import dev.elasticrun.proto.RoundRecord;
import dev.elasticrun.proto.SpecRecord;
import dev.elasticrun.proto.StateSourceRecord;
import dev.elasticrun.proto.UsedMasterRecord;
import dev.elasticrun.proto.VerdictKind;
import dev.elasticrun.proto.VerdictRecord;
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
import java.util.function.ToIntFunction;

/** Between records and the bytes that the store keeps. Refuses a schema that it does not know. */
public final class RecordCodec {
    static final int SCHEMA = 1;
    /** 2: how local states are protected. */
    static final int SPEC_SCHEMA = 2;
    /** 2: participants by columns; 3: causes as fields; 4: seats; 5: which restarts count. */
    static final int ROUND_SCHEMA = 6;

    private RecordCodec() {}

    public static byte[] encode(RunSpec spec) {
        RunTerms terms = spec.terms();
        return SpecRecord.newBuilder()
                .setSchema(SPEC_SCHEMA)
                .setIncarnation(spec.incarnation())
                .setMinNodes(terms.nodes().minNodes())
                .setMaxNodes(terms.nodes().maxNodes())
                .setPolicy(terms.policy())
                .setRuntime(terms.runtime())
                .setTls(terms.tls())
                .setLocalReplicas(terms.locals().replicas())
                .setCheckpointParity(terms.locals().parity())
                .setMaxRestarts(terms.maxRestarts())
                .setRestartWindowMillis(terms.restarts().window().toMillis())
                .setRestartRefundMillis(terms.restarts().refund().toMillis())
                .setRunKey(ByteString.copyFrom(spec.runKey()))
                .setKeyProof(ByteString.copyFrom(spec.keyProof()))
                .setVersion(StoredSchemas.VERSION)
                .setSchemas(StoredSchemas.OWN)
                .build()
                .toByteArray();
    }

    static RunSpec decodeSpec(byte[] bytes) {
        SpecRecord stored = parse("spec", bytes, SpecRecord::parseFrom);
        StoredSchemas.check(stored.getSchema(), stored.getSchemas(), stored.getVersion());
        return new RunSpec(
                stored.getIncarnation(),
                new RunTerms(
                        new NodeBounds(stored.getMinNodes(), stored.getMaxNodes()),
                        stored.getPolicy(),
                        stored.getRuntime(),
                        stored.getTls(),
                        new LocalProtection(stored.getLocalReplicas(), stored.getCheckpointParity()),
                        new RestartBudget(
                                stored.getMaxRestarts(),
                                Duration.ofMillis(stored.getRestartWindowMillis()),
                                Duration.ofMillis(stored.getRestartRefundMillis()))),
                stored.getRunKey().toByteArray(),
                stored.getKeyProof().toByteArray(),
                0);
    }

    public static byte[] encode(NodeRecord node, String incarnation) {
        NodeSpec spec = node.spec();
        NodeRecord.Reports reports = node.reports();
        dev.elasticrun.proto.NodeRecord.Builder builder = dev.elasticrun.proto.NodeRecord.newBuilder()
                .setSchema(SCHEMA)
                .setIncarnation(incarnation)
                .setNodeId(spec.nodeId())
                .setHostLabel(spec.hostLabel())
                .setAddress(spec.address())
                .setControlPort(spec.controlPort())
                .setLeaseId(node.publication().leaseId())
                .setSlots(spec.slots())
                .setWishedPlace(reports.wishedPlace() + 1)
                .setRole(spec.role())
                .setPhase(dev.elasticrun.proto.NodePhase.valueOf(node.phase().name()))
                .setGeneration(node.generation())
                .setRoundAcknowledged(node.rounds().acknowledged())
                .setStoppedRound(node.rounds().stopped())
                .setCheckpointVersion(node.checkpoint().version())
                .setCheckpointSince(node.checkpoint().since())
                .setCheckpointWorld(node.checkpoint().world())
                .setMasterPort(node.group().masterPort())
                .setEdition(node.publication().edition());
        for (WorkerRecord worker : node.group().workers()) {
            builder.addWorkers(dev.elasticrun.proto.WorkerRecord.newBuilder()
                    .setSlot(worker.slot())
                    .setAttempt(worker.attempt())
                    .setPid(worker.pid())
                    .setPort(worker.port())
                    .setWithheld(!worker.offered())
                    .setLastWorkedRound(worker.lastWorked()));
        }
        node.failures().forEach(failure -> builder.addFailures(toProto(failure)));
        builder.addAllProvedDead(node.publication().provedDead());
        builder.setExcluded(reports.excluded());
        for (PeerLost lost : reports.peersLost()) {
            builder.addPeersLost(PeerLostRecord.newBuilder()
                    .setRound(lost.round())
                    .setReporterRank(lost.reporterRank())
                    .setLostRank(lost.lostRank()));
        }
        Failure stopRun = reports.stopRun();
        if (stopRun != null) {
            builder.setStopRun(toProto(stopRun));
        }
        return builder.build().toByteArray();
    }

    public static NodeRecord decodeNode(byte[] bytes) {
        dev.elasticrun.proto.NodeRecord stored = parse(
                "nodes/<nodeId>",
                bytes,
                dev.elasticrun.proto.NodeRecord::parseFrom,
                dev.elasticrun.proto.NodeRecord::getSchema);
        return new NodeRecord(
                new NodeSpec(
                        stored.getNodeId(),
                        stored.getHostLabel(),
                        stored.getAddress(),
                        stored.getControlPort(),
                        stored.getRole(),
                        stored.getSlots()),
                NodePhase.valueOf(stored.getPhase().name()),
                new NodeRecord.Group(
                        stored.getGeneration(),
                        stored.getWorkersList().stream()
                                .map(worker -> new WorkerRecord(
                                        worker.getSlot(),
                                        worker.getAttempt(),
                                        worker.getPid(),
                                        worker.getPort(),
                                        !worker.getWithheld(),
                                        worker.getLastWorkedRound()))
                                .toList(),
                        stored.getFailuresList().stream()
                                .map(RecordCodec::fromProto)
                                .toList(),
                        stored.getMasterPort()),
                new NodeRecord.Rounds(stored.getRoundAcknowledged(), stored.getStoppedRound()),
                new NodeRecord.Reports(
                        stored.getPeersLostList().stream()
                                .map(lost -> new PeerLost(lost.getRound(), lost.getReporterRank(), lost.getLostRank()))
                                .toList(),
                        stored.hasStopRun() ? fromProto(stored.getStopRun()) : null,
                        stored.getExcluded(),
                        stored.getWishedPlace() - 1),
                HeldVersion.of(stored.getCheckpointSince(), stored.getCheckpointWorld(), stored.getCheckpointVersion()),
                new NodeRecord.Publication(stored.getLeaseId(), stored.getProvedDeadList(), stored.getEdition()));
    }

    /** The incarnation that a node's record was written for. */
    public static String incarnationOfNode(byte[] bytes) {
        return parse(
                        "nodes/<nodeId>",
                        bytes,
                        dev.elasticrun.proto.NodeRecord::parseFrom,
                        dev.elasticrun.proto.NodeRecord::getSchema)
                .getIncarnation();
    }

    public static byte[] encode(Round round, String incarnation) {
        RoundRecord.Builder builder = RoundRecord.newBuilder()
                .setSchema(ROUND_SCHEMA)
                .setIncarnation(incarnation)
                .setNumber(round.number())
                .setWorld(round.world())
                .setSuspended(round.suspended())
                .addAllStandbys(round.ranks().standbys())
                .setMasterAddress(round.master().address())
                .setMasterPort(round.master().port())
                .addAllCauses(CauseCodec.encode(round.causes()))
                .setChange(
                        round.change() == WorldChange.NONE
                                ? dev.elasticrun.proto.WorldChange.WORLD_CHANGE_NONE
                                : dev.elasticrun.proto.WorldChange.valueOf(
                                        round.change().name()))
                .setBudgetUsed(round.budgetUsed())
                .setRestarts(round.restarts())
                .setRestartsReturned(round.used().returned())
                .addAllRestartAgesMillis(round.used().agesMillis())
                .setProgressMillis(round.used().progressMillis())
                .setLastCommand(round.lastCommand())
                .setHighestVersion(round.checkpoint().version())
                .setHighestSince(round.checkpoint().since())
                .setIncident(round.incident())
                .setAwaited(round.awaited());
        if (!round.history().equals(FailureHistory.NONE)) {
            builder.setHistory(HistoryCodec.toProto(round.history()));
        }
        for (StateSource source : round.ranks().sources()) {
            builder.addStateSources(StateSourceRecord.newBuilder()
                    .setNodeId(source.nodeId())
                    .setAddress(source.address())
                    .setControlPort(source.controlPort())
                    .setVersion(source.held().version())
                    .setSince(source.held().since())
                    .setWorld(source.held().world())
                    .setWasMember(source.wasMember()));
        }
        for (UsedMaster used : round.usedMasters()) {
            builder.addUsedMasters(UsedMasterRecord.newBuilder()
                    .setCreateRevision(used.createRevision())
                    .setPort(used.port())
                    .setEdition(used.edition()));
        }
        builder.setParticipantColumns(ParticipantTable.encode(round.participants()));
        for (Order order : round.orders()) {
            builder.addOrders(OrderRecord.newBuilder()
                    .setNodeId(order.nodeId())
                    .setKind(OrderKind.valueOf(order.kind().name()))
                    .setGeneration(order.generation()));
        }
        return builder.build().toByteArray();
    }

    /** @param own the node that asks: its place is found on the way */
    static Round decodeRound(byte[] bytes, String own) {
        RoundRecord stored = parse("round", ROUND_SCHEMA, bytes, RoundRecord::parseFrom, RoundRecord::getSchema);
        return new Round(
                stored.getNumber(),
                stored.getSuspended(),
                new Round.Ranks(
                        stored.getWorld(),
                        new ParticipantTable(stored.getParticipantColumns(), own),
                        stored.getStandbysList(),
                        new MasterEndpoint(stored.getMasterAddress(), stored.getMasterPort()),
                        stored.getStateSourcesList().stream()
                                .map(source -> new StateSource(
                                        source.getNodeId(),
                                        source.getAddress(),
                                        source.getControlPort(),
                                        HeldVersion.of(source.getSince(), source.getWorld(), source.getVersion()),
                                        source.getWasMember()))
                                .toList()),
                new Round.Reason(
                        CauseCodec.decode(stored.getCausesList()),
                        stored.getChange() == dev.elasticrun.proto.WorldChange.WORLD_CHANGE_NONE
                                ? WorldChange.NONE
                                : WorldChange.valueOf(stored.getChange().name()),
                        stored.getIncident()),
                stored.getOrdersList().stream()
                        .map(order -> new Order(
                                order.getNodeId(),
                                Order.Kind.valueOf(order.getKind().name()),
                                order.getGeneration()))
                        .toList(),
                new Round.Ledger(
                        new UsedRestarts(
                                stored.getRestarts(),
                                stored.getBudgetUsed(),
                                stored.getRestartsReturned(),
                                stored.getRestartAgesMillisList(),
                                stored.getProgressMillis()),
                        stored.getLastCommand(),
                        new RunVersion(stored.getHighestSince(), stored.getHighestVersion()),
                        HistoryCodec.fromProto(stored.getHistory()),
                        stored.getUsedMastersList().stream()
                                .map(used ->
                                        new UsedMaster(used.getCreateRevision(), used.getPort(), used.getEdition()))
                                .toList()),
                stored.getAwaited());
    }

    public static byte[] encode(Verdict verdict, String incarnation) {
        VerdictRecord.Builder builder = VerdictRecord.newBuilder()
                .setSchema(SCHEMA)
                .setIncarnation(incarnation)
                .setKind(verdict.succeeded() ? VerdictKind.SUCCEEDED : VerdictKind.FAILED)
                .setExitCode(verdict.exitCode())
                .setReason(verdict.reason())
                .addAllCauses(CauseCodec.encode(verdict.causes()));
        verdict.failures().forEach(failure -> builder.addFailures(toProto(failure)));
        return builder.build().toByteArray();
    }

    static Verdict decodeVerdict(byte[] bytes) {
        VerdictRecord stored = parse("verdict", bytes, VerdictRecord::parseFrom, VerdictRecord::getSchema);
        return new Verdict(
                stored.getKind() == VerdictKind.SUCCEEDED,
                stored.getExitCode(),
                stored.getReason(),
                stored.getFailuresList().stream().map(RecordCodec::fromProto).toList(),
                CauseCodec.decode(stored.getCausesList()));
    }

    public static byte[] encodeIncident(long incident, long fromRound, long toRound, List<Cause> causes) {
        return IncidentRecord.newBuilder()
                .setSchema(SCHEMA)
                .setIncident(incident)
                .setFromRound(fromRound)
                .setToRound(toRound)
                .addAllCauses(CauseCodec.encode(causes))
                .build()
                .toByteArray();
    }

    private static FailureRecord toProto(Failure failure) {
        Failure.Evidence evidence = failure.evidence();
        return FailureRecord.newBuilder()
                .setNodeId(failure.nodeId())
                .setHostLabel(failure.hostLabel())
                .setRound(failure.round())
                .setSlot(failure.slot())
                .setAttempt(failure.attempt())
                .setRank(failure.rank())
                .setPid(failure.pid())
                .setExitCode(failure.exitCode())
                .setKind(FailureRecord.Kind.valueOf(evidence.kind().name()))
                .setMessage(evidence.message())
                .setStack(evidence.stack())
                .addAllLastStderr(evidence.lastStderr())
                .setLogFile(evidence.logFile())
                .setSavedFile(evidence.savedFile())
                .setCollateral(failure.collateral())
                .setHeldMillis(failure.heldMillis())
                .build();
    }

    private static Failure fromProto(FailureRecord stored) {
        return new Failure(
                new Failure.Worker(
                        stored.getNodeId(),
                        stored.getHostLabel(),
                        stored.getSlot(),
                        stored.getAttempt(),
                        stored.getRank(),
                        stored.getPid()),
                stored.getRound(),
                stored.getExitCode(),
                new Failure.Evidence(
                        kind(stored),
                        stored.getMessage(),
                        stored.getStack(),
                        stored.getLastStderrList(),
                        stored.getLogFile(),
                        stored.getSavedFile()),
                stored.getCollateral(),
                stored.getHeldMillis());
    }

    private static FailureKind kind(FailureRecord stored) {
        return switch (stored.getKind()) {
            case UNKNOWN, UNRECOGNIZED -> FailureKind.ofExit(stored.getExitCode());
            default -> FailureKind.valueOf(stored.getKind().name());
        };
    }

    private static <T> T parse(String key, byte[] bytes, Parser<T> parser, ToIntFunction<T> schema) {
        return parse(key, SCHEMA, bytes, parser, schema);
    }

    private static <T> T parse(String key, int known, byte[] bytes, Parser<T> parser, ToIntFunction<T> schema) {
        T parsed = parse(key, bytes, parser);
        StoredSchemas.check(key, schema.applyAsInt(parsed), known);
        return parsed;
    }

    private static <T> T parse(String key, byte[] bytes, Parser<T> parser) {
        try {
            return parser.parse(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new CorruptRecordException(key + ": " + bytes.length + " bytes that are not a record", e);
        }
    }

    private interface Parser<T> {
        T parse(byte[] bytes) throws InvalidProtocolBufferException;
    }
}
