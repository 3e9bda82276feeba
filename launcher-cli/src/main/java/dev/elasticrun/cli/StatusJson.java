/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.util.List;

/** The state of a run for programs: names of fields stay as they are, new ones may come. Pure. */
final class StatusJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StatusJson() {}

    static String of(StatusReply run) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("run", run.getRunId());
        json.put("incarnation", run.getIncarnation());
        json.put("policy", run.getPolicy());
        json.put("min_nodes", run.getMinNodes());
        json.put("max_nodes", run.getMaxNodes());
        json.put("round", run.getRound());
        json.put("world", run.getWorld());
        json.put("suspended", run.getSuspended());
        json.put("cause", run.getCause());
        json.put("world_size", run.getWorldSize());
        json.put("restarts_used", run.getBudgetUsed());
        json.put("max_restarts", run.getMaxRestarts());
        json.put("incident", run.getIncident());
        orNull(json, "round_age_ms", run.getRoundAgeMillis() < 0, run.getRoundAgeMillis());
        json.put("waiting_for", run.getWaitingFor());
        json.put("checkpoint_version", StatusView.version(run));
        json.put("coordinator", run.getCoordinator());
        json.put("answered_by", run.getAnsweredBy());
        ArrayNode nodes = json.putArray("nodes");
        run.getNodesList().forEach(node -> nodes.add(node(node)));
        return text(json);
    }

    static String runs(List<LocalRuns.LocalRun> agents) {
        ObjectNode json = MAPPER.createObjectNode();
        ArrayNode runs = json.putArray("runs");
        for (LocalRuns.LocalRun agent : agents) {
            runs.addObject()
                    .put("run", agent.file().run())
                    .put("incarnation", agent.file().incarnation())
                    .put("node", agent.file().node());
        }
        return text(json);
    }

    private static ObjectNode node(NodeStatus node) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("node", node.getNodeId());
        json.put("host", node.getHostLabel());
        json.put("address", node.getAddress());
        json.put("phase", node.getPhase());
        json.put("participant", node.getParticipant());
        json.put("answered", node.getSilence().isEmpty());
        json.put("silence", node.getSilence());
        json.put("kept_out", node.getKeptOut());
        orNull(
                json,
                "kept_out_ms",
                node.getKeptOut().isEmpty() || node.getKeptOutMillis() < 0,
                node.getKeptOutMillis());
        ArrayNode workers = json.putArray("workers");
        for (WorkerStatus worker : node.getWorkersList()) {
            ObjectNode entry = workers.addObject();
            entry.put("local_rank", worker.getSlot());
            entry.put("attempt", worker.getAttempt());
            entry.put("pid", worker.getPid());
            orNull(entry, "rank", worker.getRank() < 0, worker.getRank());
            entry.put("state", worker.getState());
            entry.put("step", worker.getStep());
            orNull(entry, "total_steps", worker.getTotal() == 0, worker.getTotal());
            if (worker.getStepsPerSecond() < 0) {
                entry.putNull("steps_per_second");
            } else {
                entry.put("steps_per_second", worker.getStepsPerSecond());
            }
            entry.put("checkpoint_version", worker.getVersion());
            orNull(entry, "memory_bytes", worker.getMemoryBytes() == 0, worker.getMemoryBytes());
            orNull(entry, "still_ms", worker.getStillMillis() < 0, worker.getStillMillis());
            entry.put("section", worker.getSection());
            entry.put("waits", worker.getWaits());
        }
        return json;
    }

    private static void orNull(ObjectNode json, String name, boolean isUnknown, long value) {
        if (isUnknown) {
            json.putNull(name);
        } else {
            json.put(name, value);
        }
    }

    private static String text(ObjectNode json) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write the status as JSON", e);
        }
    }
}
