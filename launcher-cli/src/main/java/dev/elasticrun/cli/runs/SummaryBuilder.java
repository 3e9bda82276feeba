/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the events of a run in the order of their times. Pure. */
final class SummaryBuilder implements Consumer<LoggedEvent> {
    private final SortedSet<String> nodes = new TreeSet<>();
    private @Nullable Instant began;
    private @Nullable Instant last;
    private String policy = "";
    private long round;
    private int worldSize;
    private long step;
    private long total;
    private int failures;
    private RunEvent.@Nullable RunEnded end;
    private RunEvent.@Nullable AgentEnded agentEnd;

    @Override
    public void accept(LoggedEvent logged) {
        began = began == null ? logged.time() : began;
        last = logged.time();
        nodes.add(logged.node());
        logged.as(RunEvent.RunJoined.class)
                .ifPresent(joined -> policy = joined.policy().policy());
        logged.as(RunEvent.WorkPublished.class).ifPresent(work -> entered(logged.round(), work.worldSize()));
        logged.as(RunEvent.RoundSealed.class).ifPresent(seal -> entered(logged.round(), seal.worldSize()));
        logged.as(RunEvent.WorkerProgressed.class).ifPresent(progress -> {
            step = Math.max(step, progress.step());
            total = Math.max(total, progress.total());
        });
        logged.as(RunEvent.WorkerExited.class).ifPresent(exit -> step = Math.max(step, exit.step()));
        logged.as(RunEvent.PauseAcknowledged.class).ifPresent(ack -> step = Math.max(step, ack.step()));
        logged.as(RunEvent.WorkerFailed.class)
                .filter(failed -> !failed.collateral())
                .ifPresent(failed -> failures++);
        logged.as(RunEvent.RunEnded.class).ifPresent(ended -> end = ended);
        logged.as(RunEvent.AgentEnded.class).ifPresent(ended -> agentEnd = ended);
    }

    private void entered(long number, int size) {
        if (number >= round) {
            round = number;
            worldSize = size;
        }
    }

    /** @param isLive whether an agent of the run is here */
    RunSummary build(String run, Optional<Path> logs, boolean isLive) {
        return new RunSummary(
                run,
                logs,
                state(isLive),
                new RunSummary.Span(Optional.ofNullable(began), Optional.ofNullable(last), reason(), exitCode()),
                nodes,
                policy,
                new RunSummary.Work(round, worldSize, step, total, failures));
    }

    private RunSummary.State state(boolean isLive) {
        if (isLive) {
            return RunSummary.State.RUNNING;
        } else if (end == null) {
            return RunSummary.State.LEFT;
        }
        return end.succeeded() ? RunSummary.State.SUCCEEDED : RunSummary.State.FAILED;
    }

    private String reason() {
        if (end != null) {
            return end.reason();
        }
        return agentEnd == null ? "" : agentEnd.reason();
    }

    private int exitCode() {
        if (end != null) {
            return end.exitCode();
        }
        return agentEnd == null ? -1 : agentEnd.exitCode();
    }
}
