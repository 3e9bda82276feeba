/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.CheckpointFetch;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints in the files of this node. Fetches what another node has before its own workers work, each time on a
 * thread {@code state-fetch} of its own. Methods belong to the loop, unless stated otherwise.
 */
final class NodeCheckpoints {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCheckpoints.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final EventLoop loop;
    private final PendingOrder pending;
    private final CheckpointFiles files;
    private final Optional<RunTls> tls;
    private final Duration limit;
    private final Consumer<RunEvent> journal;
    private volatile @Nullable RunIdentity run;

    NodeCheckpoints(
            EventLoop loop,
            PendingOrder pending,
            CheckpointFiles files,
            Optional<RunTls> tls,
            Duration limit,
            Consumer<RunEvent> journal) {
        this.loop = loop;
        this.pending = pending;
        this.files = files;
        this.tls = tls;
        this.limit = limit;
        this.journal = journal;
    }

    /** The newest checkpoint of the run in the files. Reads their headers; any thread calls. */
    Optional<CheckpointId> newest() {
        RunIdentity joined = run;
        return joined == null ? Optional.empty() : files.newest(joined.incarnation());
    }

    /**
     * Workers of a running group receive WORK: runs one of the two in the loop.
     *
     * @param publish when the checkpoint is here, or cannot be had; at once if none is to be fetched
     * @param overtaken when other orders come before that
     */
    void before(AgentEffect.Work work, RunIdentity identity, Runnable publish, Runnable overtaken) {
        pending.overtake();
        run = identity;
        if (work.sources().isEmpty()) {
            publish.run();
        } else {
            startFetch(pending.begin(overtaken), work.round(), work.sources(), identity, publish);
        }
    }

    /** Workers start: runs the last part as above, or not at all. */
    void before(AgentEffect.StartGroup start, @Nullable RunIdentity identity, Runnable publish) {
        pending.cancel();
        run = identity;
        Round round = start.round();
        if (round == null || identity == null || start.sources().isEmpty()) {
            publish.run();
        } else {
            startFetch(pending.begin(null), round, start.sources(), identity, publish);
        }
    }

    private void startFetch(
            PendingOrder.Waiting waiting,
            Round round,
            List<StateSource> sources,
            RunIdentity identity,
            Runnable publish) {
        LOG.info(
                "round={} asks for a newer checkpoint: {}",
                round.number(),
                sources.stream().map(StateSource::nodeId).toList());
        runFetch(new Fetch(round, sources, identity, waiting), publish);
    }

    private void runFetch(Fetch fetch, Runnable publish) {
        Daemons.start(
                "state-fetch",
                () -> {
                    Optional<RunEvent> event = fetch.run();
                    loop.execute(() -> complete(fetch, event, publish));
                },
                why -> {
                    if (fetch.canContinue()) {
                        loop.schedule(PAUSE, () -> runFetch(fetch, publish));
                    } else {
                        complete(fetch, Optional.of(fetch.without(fetch.sources, why)), publish);
                    }
                });
    }

    private void complete(Fetch fetch, Optional<RunEvent> event, Runnable publish) {
        event.ifPresent(journal);
        fetch.waiting.complete(publish);
    }

    /** Of one round; blocks on its thread. */
    private final class Fetch {
        private final Round round;
        private final List<StateSource> sources;
        private final RunIdentity identity;
        private final PendingOrder.Waiting waiting;
        private final long startNanos = System.nanoTime();

        Fetch(Round round, List<StateSource> sources, RunIdentity identity, PendingOrder.Waiting waiting) {
            this.round = round;
            this.sources = sources;
            this.identity = identity;
            this.waiting = waiting;
        }

        boolean canContinue() {
            return waiting.isDue() && !left().isZero();
        }

        /** What came of it; empty if the files have all that the others have. */
        Optional<RunEvent> run() {
            Optional<RunEvent> fetched = Optional.empty();
            List<StateSource> missing = sources;
            String why = "";
            while (true) {
                List<StateSource> unreachable = new ArrayList<>();
                for (StateSource source : missing) {
                    try {
                        Optional<RunEvent> news = from(source);
                        fetched = news.isPresent() ? news : fetched;
                    } catch (IOException e) {
                        unreachable.add(source);
                        why = String.valueOf(e.getMessage());
                    }
                }
                if (fetched.isPresent()) {
                    files.newest(identity.incarnation())
                            .ifPresent(
                                    id -> unreachable.removeIf(source -> !source.isAheadOf(id.world(), id.version())));
                }
                missing = unreachable;
                if (missing.isEmpty()) {
                    return fetched;
                }
                if (!canContinue()) {
                    return Optional.of(without(missing, why));
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }

        private Optional<RunEvent> from(StateSource source) throws IOException {
            CheckpointFetch.Result result = CheckpointFetch.from(
                    new Neighbour(source.nodeId(), source.address(), source.controlPort()),
                    identity.runKey(),
                    tls,
                    identity.incarnation(),
                    files,
                    "",
                    left());
            return result.files() == 0
                    ? Optional.empty()
                    : Optional.of(
                            new RunEvent.CheckpointFetched(source.nodeId(), version(), result.bytes(), tookMillis()));
        }

        /** The round goes on without the checkpoints of these nodes. */
        RunEvent without(List<StateSource> missing, String why) {
            List<String> nodes = missing.stream().map(StateSource::nodeId).toList();
            long wanted = missing.stream()
                    .mapToLong(source -> source.held().version())
                    .max()
                    .orElse(0);
            long behind = Math.max(0, wanted - version());
            LOG.warn("round={} continues without a checkpoint of {}: {}", round.number(), nodes, why);
            return new RunEvent.CheckpointUnreachable(nodes, wanted, behind, why, tookMillis());
        }

        private Duration left() {
            Duration left = limit.minusNanos(System.nanoTime() - startNanos);
            return left.isNegative() ? Duration.ZERO : left;
        }

        private long version() {
            return files.newest(identity.incarnation())
                    .map(CheckpointId::version)
                    .orElse(0L);
        }

        private long tookMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        }
    }
}
