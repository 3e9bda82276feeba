/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.Cost;
import dev.elasticrun.agent.incident.Culprit;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.IncidentText;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Incidents for programs: names of fields stay as they are, new ones may come. Pure. */
public final class IncidentJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Culprit.FailedWorker NO_WORKER = new Culprit.FailedWorker(
            "", -1, new RunEvent.Worker(-1, 0), new RunEvent.WorkerEnd(0, -1), FailureKind.NOT_STARTED, "", false);

    private IncidentJson() {}

    /** @param since when incidents are known; empty = since the start of the run */
    public static String of(String run, Optional<Instant> since, List<IncidentReport> reports) {
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
        json.put("from_round", report.beginning().fromRound());
        orNull(json, "to_round", report.answer().round(), report.answer().round() == 0);
        json.put("cause", report.cause());
        json.put("outcome", report.outcome().text());
        json.put("text", IncidentText.of(report));
        ArrayNode culprits = json.putArray("culprits");
        report.culprits().forEach(one -> culprits.add(culprit(one)));
        json.put("coordinator", report.answer().coordinator());
        json.put("world_size", report.answer().worldSize());
        report.answer().nodes().forEach(json.putArray("nodes")::add);
        orNull(
                json,
                "restarts_used",
                report.answer().restarts().used(),
                report.answer().restarts().used() < 0);
        orNull(
                json,
                "max_restarts",
                report.answer().restarts().max(),
                report.answer().restarts().max() < 0);
        json.put("waiting_for", report.waiting().reason());
        orNull(
                json,
                "workers_that_went_on",
                report.answer().survivors(),
                report.answer().survivors() < 0);
        ArrayNode kept = json.putArray("kept_out");
        report.waiting().keptOut().forEach(one -> {
            ObjectNode entry = kept.addObject().put("node", one.node()).put("why", one.why());
            orNull(entry, "seconds", one.seconds(), one.seconds() < 0);
        });
        json.put("end", report.result().end());
        json.set("cost", cost(report.cost()));
        return json;
    }

    private static ObjectNode culprit(Culprit one) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("what", one.what().text());
        json.put("node", one.node());
        Culprit.FailedWorker worker = one instanceof Culprit.FailedWorker failed ? failed : NO_WORKER;
        json.put(
                "how",
                one instanceof Culprit.OfNode node
                        ? node.source().text()
                        : worker.how().text());
        json.put("evidence", one.evidence());
        json.put("followed", one.followed());
        orNull(json, "rank", worker.rank(), worker.rank() < 0);
        orNull(json, "local_rank", worker.worker().slot(), worker.worker().slot() < 0);
        orNull(json, "attempt", worker.worker().attempt(), worker.worker().slot() < 0);
        orNull(json, "pid", worker.end().pid(), worker.end().pid() <= 0);
        orNull(json, "exit_code", worker.end().exitCode(), worker.end().exitCode() < 0);
        return json;
    }

    private static ObjectNode cost(Cost cost) {
        ObjectNode json = MAPPER.createObjectNode();
        millis(json, "detected_ms", cost.phases().detected());
        millis(json, "sealed_ms", cost.phases().sealed());
        millis(json, "paused_ms", cost.phases().paused());
        millis(json, "resumed_ms", cost.phases().resumed());
        millis(json, "stalled_ms", cost.stalled());
        millis(json, "hard_restart_ms", cost.hard().millis());
        json.put("hard_restart_starts", cost.hard().starts());
        orNull(json, "steps_lost", cost.progress().stepsLost(), cost.progress().stepsLost() < 0);
        orNull(
                json,
                "checkpoint_before",
                cost.progress().versionBefore(),
                cost.progress().versionBefore() < 0);
        orNull(
                json,
                "checkpoint_after",
                cost.progress().versionAfter(),
                cost.progress().versionAfter() < 0);
        orNull(
                json,
                "step_before",
                cost.progress().stepBefore(),
                cost.progress().stepBefore() < 0);
        millis(json, "end_decided_ms", cost.end().decided());
        millis(json, "workers_gone_ms", cost.end().gone());
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
