/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import java.util.List;

/** The state of a run for programs: names of fields stay as they are, new ones may come. Pure. */
public final class StatusJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StatusJson() {}

    public static String of(StatusReply run) {
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
        json.put("restarts_total", run.getRestarts());
        json.put("restart_window_ms", run.getRestartWindowMillis() == 0 ? null : (Long) run.getRestartWindowMillis());
        json.put("restart_refund_ms", run.getRestartRefundMillis() == 0 ? null : (Long) run.getRestartRefundMillis());
        json.put(
                "restart_returns_ms",
                run.getRestartWindowMillis() == 0 || run.getRestartReturnsMillis() < 0
                        ? null
                        : (Long) run.getRestartReturnsMillis());
        json.put("incident", run.getIncident());
        json.put("round_age_ms", run.getRoundAgeMillis() < 0 ? null : (Long) run.getRoundAgeMillis());
        json.put("waiting_for", run.getWaitingFor());
        json.put("checkpoint_version", StatusView.version(run));
        json.put("coordinator", run.getCoordinator());
        json.put("answered_by", run.getAnsweredBy());
        ArrayNode nodes = json.putArray("nodes");
        for (NodeStatus node : run.getNodesList()) {
            ObjectNode entry = nodes.addObject();
            NodeRow.json(node, entry);
            ArrayNode workers = entry.putArray("workers");
            node.getWorkersList().forEach(worker -> WorkerRow.json(worker, workers.addObject()));
        }
        return text(json);
    }

    public static String runs(List<LocalRuns.LocalRun> agents) {
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

    private static String text(ObjectNode json) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write the status as JSON", e);
        }
    }
}
