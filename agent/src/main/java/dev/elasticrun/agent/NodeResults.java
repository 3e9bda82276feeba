/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.worker.ResultKeeper;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings results of this node's workers to the store, and those of all nodes back when the run has succeeded. */
final class NodeResults implements ResultKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(NodeResults.class);
    /** Of all workers of a run together. */
    private static final int MAX_ALL_BYTES = 16 << 20;

    private static final Duration PAUSE = Duration.ofMillis(200);
    /** Without the store the run cannot end either. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int READ_ATTEMPTS = 3;

    private final String nodeId;
    private final EventLoop loop;
    private final Supplier<AgentState> state;
    private final Supplier<Optional<Rendezvous>> rendezvous;
    // Owned by the loop.
    private SortedMap<Integer, HandedResult> found = new TreeMap<>();

    NodeResults(String nodeId, EventLoop loop, Supplier<AgentState> state, Supplier<Optional<Rendezvous>> rendezvous) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.state = state;
        this.rendezvous = rendezvous;
    }

    /** As it may be stored: a large one is not, in a large world. */
    static HandedResult bounded(HandedResult result, int worldSize) {
        int share = MAX_ALL_BYTES / Math.max(1, worldSize);
        int bytes = result.content().length;
        return bytes <= share
                ? result
                : HandedResult.refused(
                        result.attempt(),
                        bytes + " bytes (expected: at most " + share + " in a world of " + worldSize + ")");
    }

    @Override
    public CompletableFuture<Void> keep(int slot, HandedResult result) {
        CompletableFuture<Void> kept = new CompletableFuture<>();
        loop.execute(() -> {
            Round round = state.get().round();
            HandedResult bounded = bounded(result, round == null ? 0 : round.worldSize());
            if (!bounded.refusedBecause().isEmpty()) {
                notKept(slot, bounded.refusedBecause());
            }
            write(slot, bounded, loop.nowNanos() + PATIENCE.toNanos(), kept);
        });
        // What follows reads the worker's files, which the loop does not wait for.
        return kept.thenApplyAsync(Function.identity());
    }

    private void notKept(int slot, String why) {
        LOG.warn("node={} the result of worker {} is not handed over: {}", nodeId, slot, why);
    }

    private void write(int slot, HandedResult result, long endNanos, CompletableFuture<Void> kept) {
        if (state.get().isEnding()) {
            kept.complete(null);
            return;
        }
        rendezvous
                .get()
                .map(joined -> joined.handOver(slot, result))
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .whenComplete((written, error) -> loop.execute(() -> {
                    if (error == null && written) {
                        kept.complete(null);
                    } else if (loop.nowNanos() - endNanos > 0) {
                        notKept(slot, error == null ? "this node is not registered" : String.valueOf(error));
                        kept.complete(null);
                    } else {
                        loop.schedule(PAUSE, () -> write(slot, result, endNanos, kept));
                    }
                }));
    }

    /** Reads what all workers handed over, if that is how the run ended. Completes in the loop, normally in any case. */
    CompletableFuture<Void> collect(int exitCode, Optional<Verdict> verdict) {
        CompletableFuture<Void> collected = new CompletableFuture<>();
        if (exitCode == 0 && verdict.filter(Verdict::succeeded).isPresent()) {
            read(READ_ATTEMPTS, collected);
        } else {
            collected.complete(null);
        }
        return collected;
    }

    private void read(int attempts, CompletableFuture<Void> collected) {
        rendezvous
                .get()
                .map(Rendezvous::results)
                .orElseGet(() -> CompletableFuture.completedFuture(new TreeMap<>()))
                .whenComplete((results, error) -> loop.execute(() -> {
                    if (error != null && attempts > 1) {
                        loop.schedule(PAUSE, () -> read(attempts - 1, collected));
                        return;
                    }
                    if (error == null) {
                        found = results;
                    } else {
                        String why = "cannot be read: " + error;
                        LOG.warn("node={} results of workers are not known: {}", nodeId, why);
                        found = unread(state.get().round(), why);
                    }
                    collected.complete(null);
                }));
    }

    private static SortedMap<Integer, HandedResult> unread(@Nullable Round round, String why) {
        SortedMap<Integer, HandedResult> all = new TreeMap<>();
        for (int rank = 0; round != null && rank < round.worldSize(); rank++) {
            all.put(rank, HandedResult.refused(0, why));
        }
        return all;
    }

    /** What was collected, by rank; in the loop. */
    SortedMap<Integer, HandedResult> found() {
        return found;
    }
}
