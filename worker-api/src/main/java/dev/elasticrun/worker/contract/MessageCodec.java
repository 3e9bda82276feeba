/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of {@code events/} and {@code up/}. Decoding ignores fields that it does not know and throws
 * IllegalArgumentException, which names field, value and expectation, for all else that is wrong.
 */
public final class MessageCodec {
    static final int VERSION = 1;

    private MessageCodec() {}

    public static byte[] encode(WorkerEvent e) {
        return new JsonWriter()
                .put("version", VERSION)
                .put("seq", e.seq())
                .put("timestamp", e.timestamp().toString())
                .put("run", e.run())
                .put("incarnation", e.incarnation())
                .put("round", e.round())
                .put("world", e.world())
                .put("worker_state", e.workerState().name())
                .put("change_event", name(e.changeEvent()))
                .put("pause", e.pause() == null ? null : e.pause().name().toLowerCase(Locale.ROOT))
                .put("cause", e.cause())
                .put("highest_version", e.highestVersion())
                .put("worker_info", e.workerInfo() == null ? null : info(e.workerInfo()))
                .put(
                        "runtime",
                        e.workerInfo() == null ? Map.of() : e.workerInfo().runtime())
                .bytes();
    }

    public static WorkerEvent decodeEvent(byte[] json) {
        JsonFields fields = JsonFields.parse(json);
        fields.requireVersion(VERSION);
        JsonFields info = fields.objectOrNull("worker_info");
        return new WorkerEvent(
                fields.integer("seq"),
                fields.instant("timestamp"),
                new WorkerEvent.RoundId(
                        fields.string("run"),
                        fields.string("incarnation"),
                        fields.integer("round"),
                        fields.integer("world")),
                new WorkerEvent.Change(
                        fields.constant("worker_state", WorkerState.class),
                        fields.constantOrNull("change_event", WorldChangeEvent.class),
                        fields.constantOrNull("pause", PauseKind.class),
                        fields.string("cause")),
                info == null ? null : info(info, fields.strings("runtime")),
                fields.integer("highest_version"));
    }

    public static byte[] encode(UpMessage m) {
        JsonWriter out = new JsonWriter().put("version", VERSION);
        if (m instanceof UpMessage.Ready ready) {
            out.put("type", "READY").put("port", ready.port());
        } else if (m instanceof UpMessage.Ack ack) {
            out.put("type", "ACK").put("seq", ack.seq()).put("checkpoint_version", ack.version());
            out.put("monotonic_nanos", ack.monotonicNanos());
        } else if (m instanceof UpMessage.Resumed resumed) {
            out.put("type", "RESUMED").put("round", resumed.round()).put("checkpoint_version", resumed.version());
            out.put("monotonic_nanos", resumed.monotonicNanos());
            out.put("world", resumed.world()).put("checkpoint_world", resumed.checkpointWorld());
        } else if (m instanceof UpMessage.Progress progress) {
            out.put("type", "PROGRESS").put("step", progress.step()).put("total", progress.total());
            out.put("checkpoint_version", progress.version());
        } else if (m instanceof UpMessage.Committed committed) {
            out.put("type", "COMMITTED").put("checkpoint_version", committed.version());
        } else if (m instanceof UpMessage.PeerLost lost) {
            out.put("type", "PEER_LOST").put("round", lost.round()).put("rank", lost.rank());
        } else if (m instanceof UpMessage.StateLost lost) {
            out.put("type", "STATE_LOST").put("round", lost.round()).put("checkpoint_version", lost.version());
        } else if (m instanceof UpMessage.LocalStateLost lost) {
            out.put("type", "LOCAL_STATE_LOST").put("round", lost.round()).put("checkpoint_version", lost.version());
            out.put("ranks", lost.ranks());
        } else if (m instanceof UpMessage.Failure failure) {
            out.put("type", "FAILURE").put("message", failure.message()).put("stack", failure.stack());
        } else if (m instanceof UpMessage.ExcludeNode exclude) {
            out.put("type", "EXCLUDE_NODE").put("reason", exclude.reason());
        } else if (m instanceof UpMessage.StopRun stop) {
            out.put("type", "STOP_RUN").put("message", stop.message());
        }
        return out.bytes();
    }

    public static UpMessage decodeUp(byte[] json) {
        JsonFields fields = JsonFields.parse(json);
        fields.requireVersion(VERSION);
        String type = fields.string("type");
        return switch (type) {
            case "READY" -> new UpMessage.Ready(fields.int32("port"));
            case "ACK" ->
                new UpMessage.Ack(
                        fields.integer("seq"), fields.integer("checkpoint_version"), fields.integer("monotonic_nanos"));
            case "RESUMED" ->
                new UpMessage.Resumed(
                        fields.integer("round"),
                        fields.integer("checkpoint_version"),
                        fields.integer("monotonic_nanos"),
                        fields.integerIfAny("world"),
                        fields.integerIfAny("checkpoint_world"));
            case "PROGRESS" ->
                new UpMessage.Progress(
                        fields.integer("step"), fields.integer("total"), fields.integer("checkpoint_version"));
            case "COMMITTED" -> new UpMessage.Committed(fields.integer("checkpoint_version"));
            case "PEER_LOST" -> new UpMessage.PeerLost(fields.integer("round"), fields.int32("rank"));
            case "LOCAL_STATE_LOST" ->
                new UpMessage.LocalStateLost(
                        fields.integer("round"), fields.integer("checkpoint_version"), fields.int32s("ranks"));
            case "STATE_LOST" -> new UpMessage.StateLost(fields.integer("round"), fields.integer("checkpoint_version"));
            case "FAILURE" -> new UpMessage.Failure(fields.string("message"), fields.string("stack"));
            case "EXCLUDE_NODE" -> new UpMessage.ExcludeNode(fields.string("reason"));
            case "STOP_RUN" -> new UpMessage.StopRun(fields.string("message"));
            default ->
                throw fields.wrong(
                        "type",
                        type,
                        "READY, ACK, RESUMED, PROGRESS, COMMITTED, PEER_LOST, STATE_LOST, LOCAL_STATE_LOST, FAILURE, EXCLUDE_NODE or STOP_RUN");
        };
    }

    private static JsonWriter info(WorkerInfo info) {
        return new JsonWriter()
                .put("round", info.round())
                .put("world", info.world())
                .put("local_rank", info.localRank())
                .put("local_world_size", info.localWorldSize())
                .put("rank", info.rank())
                .put("world_size", info.worldSize())
                .put("role_name", info.roleName())
                .put("role_rank", info.roleRank())
                .put("role_world_size", info.roleWorldSize())
                .put("group_rank", info.groupRank())
                .put("group_world_size", info.groupWorldSize())
                .put("master_addr", info.masterAddr())
                .put("master_port", info.masterPort());
    }

    private static WorkerInfo info(JsonFields fields, Map<String, String> runtime) {
        return new WorkerInfo(
                fields.integer("round"),
                fields.integer("world"),
                new WorkerInfo.Ranks(
                        place(fields, "local_rank", "local_world_size"),
                        place(fields, "rank", "world_size"),
                        place(fields, "role_rank", "role_world_size"),
                        place(fields, "group_rank", "group_world_size")),
                fields.string("role_name"),
                new WorkerInfo.Master(fields.string("master_addr"), fields.int32("master_port")),
                runtime);
    }

    private static WorkerInfo.Place place(JsonFields fields, String rank, String size) {
        return new WorkerInfo.Place(fields.int32(rank), fields.int32(size));
    }

    private static @Nullable String name(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name();
    }
}
