/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.incident.Cost;
import dev.elasticrun.agent.incident.Culprit;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.IncidentText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Incidents for programs: names of fields stay as they are, new ones may come. Pure. */
final class IncidentJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private IncidentJson() {}

    /** @param since when incidents are known; empty = since the start of the run */
    static String of(String run, Optional<Instant> since, List<IncidentReport> reports) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("run", run);
        json.put("known_since", since.map(Instant::toString).orElse(null));
        ArrayNode incidents = json.putArray("incidents");
        reports.forEach(report -> incidents.add(incident(report)));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write incidents as JSON", e);
        }
    }

    private static ObjectNode incident(IncidentReport report) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("incident", report.number());
        json.put("time", report.time().toString());
        json.put("from_round", report.fromRound());
        orNull(json, "to_round", report.toRound(), report.toRound() == 0);
        json.put("cause", report.cause());
        json.put("outcome", report.outcome().text());
        json.put("text", IncidentText.of(report));
        ArrayNode culprits = json.putArray("culprits");
        report.culprits().forEach(one -> culprits.add(culprit(one)));
        json.put("coordinator", report.coordinator());
        json.put("world_size", report.worldSize());
        report.nodes().forEach(json.putArray("nodes")::add);
        orNull(json, "restarts_used", report.restartsUsed(), report.restartsUsed() < 0);
        orNull(json, "max_restarts", report.maxRestarts(), report.maxRestarts() < 0);
        json.put("waiting_for", report.waited());
        orNull(json, "workers_that_went_on", report.survivors(), report.survivors() < 0);
        ArrayNode kept = json.putArray("kept_out");
        report.keptOut().forEach(one -> {
            ObjectNode entry = kept.addObject().put("node", one.node()).put("why", one.why());
            orNull(entry, "seconds", one.seconds(), one.seconds() < 0);
        });
        json.put("end", report.end());
        json.set("cost", cost(report.cost()));
        return json;
    }

    private static ObjectNode culprit(Culprit one) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("what", one.what());
        json.put("node", one.node());
        json.put("how", one.how());
        json.put("evidence", one.evidence());
        json.put("followed", one.followed());
        orNull(json, "rank", one.rank(), one.rank() < 0);
        orNull(json, "local_rank", one.slot(), one.slot() < 0);
        orNull(json, "attempt", one.attempt(), one.slot() < 0);
        orNull(json, "pid", one.pid(), one.pid() <= 0);
        orNull(json, "exit_code", one.exitCode(), one.exitCode() < 0);
        return json;
    }

    private static ObjectNode cost(Cost cost) {
        ObjectNode json = MAPPER.createObjectNode();
        millis(json, "detected_ms", cost.detected());
        millis(json, "sealed_ms", cost.sealed());
        millis(json, "paused_ms", cost.paused());
        millis(json, "resumed_ms", cost.resumed());
        millis(json, "stalled_ms", cost.stalled());
        millis(json, "hard_restart_ms", cost.hard());
        json.put("hard_restart_starts", cost.hardStarts());
        orNull(json, "steps_lost", cost.stepsLost(), cost.stepsLost() < 0);
        orNull(json, "checkpoint_before", cost.versionBefore(), cost.versionBefore() < 0);
        orNull(json, "checkpoint_after", cost.versionAfter(), cost.versionAfter() < 0);
        orNull(json, "step_before", cost.stepBefore(), cost.stepBefore() < 0);
        millis(json, "end_decided_ms", cost.ended());
        millis(json, "workers_gone_ms", cost.gone());
        return json;
    }

    private static void millis(ObjectNode json, String name, double millis) {
        if (millis < 0) {
            json.putNull(name);
        } else {
            json.put(name, Math.round(millis * 10) / 10.0);
        }
    }

    private static void orNull(ObjectNode json, String name, long value, boolean isUnknown) {
        if (isUnknown) {
            json.putNull(name);
        } else {
            json.put(name, value);
        }
    }
}
