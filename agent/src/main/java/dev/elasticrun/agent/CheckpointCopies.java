/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.CopyRules;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.CheckpointId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps copies of the checkpoints of a node that works while this one has no rank, by {@link CopyRules}: one transfer at a time,
 * for which nobody waits. The simulator uses it as production does, with other transfers. Owned by the loop.
 */
final class CheckpointCopies {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointCopies.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final CopyRules rules;
    private final AgentMachine machine;
    private final Transfer transfer;
    private final Consumer<RunEvent> journal;
    private boolean isCopying;
    private boolean hasCopy;
    private int failures;
    private long dueNanos;
    private @Nullable String problem;

    /** Gets what another node has and this one has not. */
    interface Transfer {
        /** Begins; the last part is run once, in the loop. */
        void begin(CopyRules.Source source, RunIdentity run, Consumer<Result> done);
    }

    /**
     * How a transfer ended.
     *
     * @param newest in the files of this node now; empty = none, or nothing new came
     * @param since the newest round in which the run lost all its state, according to the other node; 0 = none
     * @param bytes that came
     * @param problem why nothing came; null = the other node has nothing newer
     */
    record Result(
            Optional<CheckpointId> newest,
            long since,
            long bytes,
            @Nullable String problem) {}

    CheckpointCopies(
            EventLoop loop, CopyRules rules, AgentMachine machine, Transfer transfer, Consumer<RunEvent> journal) {
        this.loop = loop;
        this.rules = rules;
        this.machine = machine;
        this.transfer = transfer;
        this.journal = journal;
        this.dueNanos = loop.nowNanos();
    }

    /** Begins, and goes on until the agent ends. */
    void start() {
        if (!machine.stopped()) {
            check();
            loop.schedule(TICK, this::start);
        }
    }

    private void check() {
        AgentState state = machine.state();
        Optional<CopyRules.Source> source = rules.source(state, failures);
        if (source.isEmpty()) {
            hasCopy = false;
            failures = 0;
        } else if (!isCopying && loop.nowNanos() - dueNanos >= 0) {
            isCopying = true;
            CopyRules.Source from = source.get();
            long start = loop.nowNanos();
            transfer.begin(from, Objects.requireNonNull(state.identity()), result -> onDone(from, result, start));
        }
    }

    private void onDone(CopyRules.Source source, Result result, long start) {
        Duration took = Duration.ofNanos(loop.nowNanos() - start);
        String why = result.problem();
        isCopying = false;
        dueNanos = loop.nowNanos() + rules.pause(took, why == null).toNanos();
        failures = why == null ? 0 : failures + 1;
        if (why != null && !why.equals(problem)) {
            LOG.debug("no copy of the checkpoints of {}: {}", source.holder().nodeId(), why);
        }
        problem = why;
        result.newest().ifPresent(newest -> onCopied(source, newest, result, took));
    }

    private void onCopied(CopyRules.Source source, CheckpointId newest, Result result, Duration took) {
        machine.apply(new AgentEvent.CheckpointCopied(newest, result.since()));
        if (!hasCopy) {
            hasCopy = true;
            journal.accept(new RunEvent.CheckpointCopied(
                    source.holder().nodeId(), newest.version(), result.bytes(), took.toMillis()));
        }
    }
}
