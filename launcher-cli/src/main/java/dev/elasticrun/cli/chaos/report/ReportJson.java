/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.cli.agents.AgentUse;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The report for programs: names of fields stay as they are, new ones may come. What is not known is null. Pure. */
public final class ReportJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double NANOS = 1e9;

    private ReportJson() {}

    public static String of(ChaosReport report) {
        ObjectNode json = MAPPER.createObjectNode();
        setup(report.setup(), json);
        ObjectNode calm = json.putObject("calm");
        calm.put("counts", report.calm().counter().text());
        calm.put(
                "step_seconds",
                report.calm().stepSeconds() <= 0 ? null : (Double) report.calm().stepSeconds());
        calm.put("steps", report.calm().steps());
        calm.put("seconds", report.calm().seconds());
        calm.put("of_storm", report.calm().isOfStorm());
        ChaosReport.Progress progress = report.progress();
        json.put("seconds", progress.seconds());
        json.put("steps", progress.steps());
        json.put("rounds", progress.rounds());
        json.put("goodput", known(progress.goodput()));
        json.put("lost_seconds_per_fault", known(progress.lostSeconds()));
        ObjectNode kinds = json.putObject("recovery");
        report.kinds().forEach(row -> kind(row, kinds.putObject(row.kind())));
        kind(report.all(), kinds.putObject(report.all().kind()));
        json.put("steps_done_twice", report.repeats().steps());
        json.put("checkpoints_lost", report.repeats().versions());
        json.put("state_lost", report.repeats().stateLosses());
        agents(report.agents(), json.putObject("agents_took"));
        ObjectNode result = json.putObject("result");
        result.put("compared", report.comparison().compared());
        result.put(
                "same",
                report.comparison().compared() ? (Boolean) report.comparison().same() : null);
        result.put("text", report.comparison().text());
        ArrayNode forecast = json.putArray("forecast");
        report.forecast().forEach(one -> forecast.addObject()
                .put("nodes", one.run().nodes())
                .put("mtbf_seconds", one.run().mtbf().toSeconds())
                .put("goodput", one.goodput()));
        faults(report, json.putArray("faults"));
        ArrayNode rounds = json.putArray("round_list");
        report.timeline().rounds().forEach(round -> rounds.addObject()
                .put("at_seconds", round.seconds())
                .put("round", round.number())
                .put("world_size", round.worldSize()));
        ArrayNode samples = json.putArray("samples");
        report.timeline().points().forEach(point -> samples.addObject()
                .put("at_seconds", point.seconds())
                .put("world_size", point.worldSize())
                .put("count", point.count()));
        ArrayNode notes = json.putArray("notes");
        report.notes().forEach(notes::add);
        ArrayNode violations = json.putArray("violations");
        report.violations().forEach(violations::add);
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write the report as JSON", e);
        }
    }

    private static void setup(ChaosReport.Setup setup, ObjectNode json) {
        json.put("run", setup.runId());
        json.put("policy", setup.policy());
        json.put("agents", setup.agents());
        json.put("workers_per_agent", setup.workersPerAgent());
        json.put("seed", setup.weather().seed());
        json.put("every_ms", setup.weather().every().toMillis());
        json.put("for_ms", setup.weather().length().toMillis());
        json.put("calm_ms", setup.calmTime().toMillis());
        ObjectNode weights = json.putObject("weights");
        for (FaultKind kind : FaultKind.values()) {
            weights.put(kind.text(), setup.weather().weight(kind));
        }
        ObjectNode net = json.putObject("net");
        net.put("loss_percent", setup.net().lossPercent());
        net.put("delay_ms", setup.net().delay().toMillis());
        net.put("partition_ms", setup.net().partition().toMillis());
        json.put("directory", setup.directory().toString());
        ArrayNode line = json.putArray("line");
        setup.line().forEach(line::add);
    }

    private static void kind(ChaosReport.KindRow row, ObjectNode json) {
        json.put("injected", row.injected());
        json.put("left_out", row.leftOut());
        times(row.detected(), json.putObject("detected_ms"));
        times(row.resumed(), json.putObject("all_work_ms"));
        times(row.complete(), json.putObject("full_size_ms"));
        json.put("without_rank", row.withoutRank());
        json.put("not_reported", row.notReported());
        json.put("not_recovered", row.open());
    }

    private static void times(Percentiles times, ObjectNode json) {
        json.put("count", times.count());
        json.put("p50", known(times.p50()));
        json.put("p99", known(times.p99()));
    }

    private static void agents(ChaosReport.Agents agents, ObjectNode json) {
        use(agents.atStart(), json.putObject("at_start"));
        use(agents.atEnd(), json.putObject("at_end"));
        use(agents.most(), json.putObject("most"));
        ArrayNode ended = json.putArray("ended_by_themselves");
        agents.ended().forEach(end -> ended.addObject()
                .put("agent", end.number())
                .put("exit_code", end.exitCode())
                .put("last_lines", String.join("\n", end.lastLines())));
    }

    private static void use(AgentUse use, ObjectNode json) {
        json.put("resident_bytes", use.residentBytes());
        json.put("files", use.files());
        json.put("threads", use.threads());
    }

    private static void faults(ChaosReport report, ArrayNode json) {
        for (ChaosReport.FaultMark mark : report.timeline().faults()) {
            Fault fault = mark.fault();
            json.addObject()
                    .put("number", fault.planned().number())
                    .put("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                    .put("planned_seconds", fault.planned().atNanos() / NANOS)
                    .put("draw", fault.planned().draw())
                    .put("at_seconds", mark.seconds())
                    .put("node", fault.node())
                    .put("pid", fault.pid())
                    .put("left_out", fault.leftOut())
                    .put("outcome", fault.isInjected() ? mark.outcome() : "")
                    .put("all_work_seconds", known(mark.recovery()));
        }
    }

    private static @Nullable Double known(double value) {
        return value < 0 ? null : (Double) value;
    }
}
