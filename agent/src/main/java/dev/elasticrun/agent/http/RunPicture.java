/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run at one moment, as the page shows it: names are those of the JSON, in which parts that are marked as unwrapped are
 * one with what they are a part of. It has nothing secret: no environment, no arguments, no key, and of programs' output
 * nothing. Times are milliseconds since 1970.
 *
 * @param now when it was made
 * @param commands what {@code /api/command} can do; nothing to a run that has ended
 */
@JsonPropertyOrder({"now", "run", "nodes", "ranks", "rounds", "past", "commands"})
public record RunPicture(
        long now,
        Glance run,
        List<NodeRow> nodes,
        List<RankRow> ranks,
        List<RoundSpan> rounds,
        @JsonUnwrapped Past past,
        List<String> commands) {

    /** Writes pictures. */
    static final ObjectMapper JSON =
            JsonMapper.builder().addMixIn(RoundSpan.class, RoundRow.class).build();

    /** How a round is written. */
    @JsonPropertyOrder({"number", "cause", "suspended", "joined", "worldSize", "times", "members"})
    interface RoundRow {
        @JsonUnwrapped
        RoundSpan.Times times();
    }

    public RunPicture {
        nodes = List.copyOf(nodes);
        ranks = List.copyOf(ranks);
        rounds = List.copyOf(rounds);
        commands = List.copyOf(commands);
    }

    /** The same picture with another time, so that a comparison shows whether anything else has changed. */
    RunPicture at(long time) {
        return new RunPicture(time, run, nodes, ranks, rounds, past, commands);
    }

    /** A short summary of the run. */
    public record Glance(
            @JsonUnwrapped Names names,
            @JsonUnwrapped Condition condition,
            @JsonUnwrapped Size size,
            @JsonUnwrapped Restarts restarts,
            @JsonUnwrapped Progress progress) {}

    /** @param answeredBy node of the agent that answers */
    public record Names(String id, String answeredBy, String coordinator, String policy) {}

    /**
     * The state of the run.
     *
     * @param state one of starting, working, recovering, waiting, ending
     * @param outcome succeeded, stopped, failed or left; empty = it continues
     * @param rootCause of a failed run: worker, message and stack, a line each; else empty
     * @param words the state as a sentence
     */
    public record Condition(String state, String outcome, String rootCause, String words) {}

    /**
     * How large the run may be, and is in its newest round.
     *
     * @param round 0 = there was none yet
     * @param worldSize workers of that round
     * @param roundNodes nodes of that round
     */
    public record Size(int minNodes, int maxNodes, long round, int worldSize, int roundNodes) {}

    /**
     * What is used of the budget.
     *
     * @param restartsWithin for how long each counts, as text; empty = for as long as the run
     * @param restartsBackMs when the next one counts no more; null = all count for as long as the run, or none does
     */
    public record Restarts(
            int restartsUsed,
            int restartsAllowed,
            String restartsWithin,
            @Nullable Long restartsBackMs) {

        public static Restarts of(RestartBudget budget, UsedRestarts used) {
            return new Restarts(
                    used.counted(),
                    budget.max(),
                    budget.within().strip(),
                    used.agesMillis().isEmpty() ? null : budget.untilReturnMillis(used));
        }
    }

    /**
     * How far the run is.
     *
     * @param step newest that any worker reported; null = none did
     * @param total planned steps; null = not known
     * @param checkpoint newest version; null = none
     * @param goodput committed step time as a share of all time, of the answering node, 0 to 1; null = not known
     */
    public record Progress(
            @Nullable Long step,
            @Nullable Long total,
            @Nullable Double stepsPerSecond,
            @Nullable Long etaSeconds,
            @Nullable Long checkpoint,
            @Nullable Double goodput) {}

    /**
     * A live node.
     *
     * @param ranks as 0-3; empty = it is in no round
     * @param keptOut why it is not put into a round, and for how long; empty = it is not kept out, or that is not known
     * @param silence why its agent does not answer; empty = it does, or was not asked
     */
    public record NodeRow(String node, String host, String phase, String ranks, String silence, String keptOut) {}

    /** A worker. */
    public record RankRow(
            @JsonUnwrapped Place place, @JsonUnwrapped Gauges gauges) {
        public static RankRow of(String node, WorkerStatus worker) {
            return new RankRow(
                    new Place(
                            worker.getRank() < 0 ? null : worker.getRank(),
                            node,
                            worker.getSlot(),
                            worker.getAttempt(),
                            worker.getPid()),
                    new Gauges(
                            worker.getState().isEmpty() ? "unknown" : worker.getState(),
                            positive(worker.getStep()),
                            rounded(worker.getStepsPerSecond()),
                            positive(worker.getVersion()),
                            positive(worker.getMemoryBytes()),
                            worker.getStillMillis() < 0 ? null : worker.getStillMillis()));
        }
    }

    /**
     * Which worker it is.
     *
     * @param rank null = it has none
     */
    public record Place(@Nullable Integer rank, String node, int slot, int attempt, long pid) {}

    /**
     * What a worker does.
     *
     * @param state as in the status command
     * @param stillMillis how long it has made no progress; null = it reports none
     */
    public record Gauges(
            String state,
            @Nullable Long step,
            @Nullable Double stepsPerSecond,
            @Nullable Long checkpoint,
            @Nullable Long memoryBytes,
            @Nullable Long stillMillis) {}

    /** A count of which nothing is known is zero. */
    public static @Nullable Long positive(long value) {
        return value > 0 ? value : null;
    }

    /**
     * Rounds a figure: more digits would change with every reading without carrying information. A negative figure is
     * unknown.
     */
    public static @Nullable Double rounded(double value) {
        return value < 0 ? null : Math.round(value * 1000) / 1000.0;
    }

    /**
     * What happened.
     *
     * @param incidents newest first
     * @param incidentsSince what was before that time is not in the logs any more; null = all is
     */
    public record Past(
            List<IncidentRow> incidents, @Nullable Long incidentsSince) {
        public Past {
            incidents = List.copyOf(incidents);
        }
    }

    /** An incident, from the events of all nodes. */
    public record IncidentRow(
            @JsonUnwrapped Numbers numbers,
            @JsonUnwrapped Story story,
            @JsonUnwrapped Price price) {}

    /**
     * Which incident it is.
     *
     * @param fromRound the round that it ended; 0 = there was none
     * @param toRound the round that answers it; 0 = none does yet
     */
    public record Numbers(long number, long fromRound, long toRound) {}

    /**
     * What happened in an incident.
     *
     * @param kind one of a fixed set of names
     * @param words what happened and what it cost, in sentences: those of {@code explain}
     * @param ranks whose workers failed, as far as it is known
     * @param began first event, by the clock of its host
     * @param over whether a round, or the end of the run, has answered it
     */
    public record Story(String kind, String words, List<Integer> ranks, long began, boolean over) {
        public Story {
            ranks = List.copyOf(ranks);
        }
    }

    /**
     * The cost of an incident.
     *
     * @param stalledMillis how long healthy workers were stalled; null = not known
     * @param hardMillis what a restart of all workers would have taken; null = not known, or that is what was done
     * @param stepsLost null = not known
     * @param phases of the time that they were stalled
     */
    public record Price(
            @Nullable Long stalledMillis,
            @Nullable Long hardMillis,
            @Nullable Long stepsLost,
            List<Phase> phases) {
        public Price {
            phases = List.copyOf(phases);
        }
    }

    /** How long one part of it took. */
    public record Phase(String name, long millis) {}
}
