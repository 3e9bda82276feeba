/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.ReusableWorkers;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.tune.store.LeasedKey;
import dev.elasticrun.tune.store.PoolKeys;
import dev.elasticrun.tune.store.PoolProof;
import dev.elasticrun.tune.store.StoreMirror;
import dev.elasticrun.tune.store.StoreMirror.Change;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.StudyKeys;
import dev.elasticrun.tune.store.TrialOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a pool: started once, it works for one trial after the other, as the driver of a study orders. Each is an ordinary
 * run that this node takes part in.
 */
public final class PoolAgent {
    private static final Duration LEASE = Duration.ofSeconds(5);
    /** How long reports may wait for the others. */
    private static final long RELAY_MILLIS = 4;

    private static final long IDLE_MILLIS = 500;
    /** Before a run that ended without a result is joined again. */
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** How long workers without a trial are kept for the next one. */
    private static final Duration KEEP = Duration.ofMinutes(1);

    private final RendezvousStore store;
    private final PoolKeys pool;
    private final String agent;
    private final PoolProof proof;
    private final LaunchConfig defaults;
    private final PoolListener listener;
    private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
    private Optional<TrialOrder> wanted = Optional.empty();
    /** Has a result, or cannot be started here. */
    private Optional<TrialOrder> done = Optional.empty();

    private @Nullable TrialRun current;
    /** Of a trial that could not be started; null = all of it is in the store. */
    private @Nullable TrialRecords owed;
    /** Null until a trial asks for it. */
    private @Nullable ReusableWorkers reusable;

    /** When the last trial ended. */
    private long idleNanos;
    /** When the next one may begin. */
    private long retryNanos;

    private volatile boolean isEnding;

    /**
     * @param pool its name
     * @param agent of this process, unique in the pool
     * @param key the pool's: orders are proved with it
     * @param defaults what runs have that their orders do not name; how the store is reached is always from here
     */
    public PoolAgent(
            RendezvousStore store,
            String pool,
            String agent,
            byte[] key,
            LaunchConfig defaults,
            PoolListener listener) {
        this.store = store;
        this.pool = PoolKeys.of(pool);
        this.agent = agent;
        this.proof = new PoolProof(key, pool);
        this.defaults = defaults;
        this.listener = listener;
    }

    /** Works until {@link #end}, and leaves the pool then. Blocks; the calling thread ends runs when it is interrupted. */
    public void run() throws InterruptedException {
        byte[] self = proof.prove(
                PoolProof.Kind.AGENT,
                agent,
                StudyCodec.object(Map.of("pid", ProcessHandle.current().pid())));
        try (LeasedKey registration = new LeasedKey(store, pool.agent(agent), self, LEASE, "pool-lease")) {
            if (!registration.claim()) {
                throw new IllegalStateException("agent " + agent + " is in the pool already");
            }
            listener.registered(agent);
            StoreMirror orders =
                    StoreMirror.open(store, KeyRange.key(pool.order(agent)), change -> news.add(() -> order(change)));
            try {
                work();
            } finally {
                orders.close();
            }
        }
    }

    /** Ends the part in the run that there is, and leaves the pool. Any thread. */
    public void end() {
        isEnding = true;
        news.add(() -> {});
    }

    private void work() throws InterruptedException {
        idleNanos = System.nanoTime();
        retryNanos = idleNanos;
        try {
            while (!isEnding || current != null) {
                Runnable next = news.poll(current == null ? IDLE_MILLIS : RELAY_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    next.run();
                }
                step(System.nanoTime());
            }
        } finally {
            TrialRun left = current;
            if (left != null) {
                left.drain();
                left.close();
            }
            ReusableWorkers kept = reusable;
            if (kept != null) {
                kept.close();
            }
        }
    }

    private void order(Change change) {
        if (change instanceof Change.All all) {
            wanted = all.entries().stream().findFirst().flatMap(this::read);
        } else if (change instanceof Change.Written written) {
            wanted = read(written.entry());
        } else if (change instanceof Change.Deleted) {
            wanted = Optional.empty();
        }
    }

    private Optional<TrialOrder> read(KeyValue entry) {
        Optional<byte[]> order = proof.check(PoolProof.Kind.ORDER, agent, entry.value());
        if (order.isEmpty()) {
            listener.refused();
        }
        return order.map(StudyCodec::order);
    }

    private void step(long now) {
        TrialRecords unwritten = owed;
        if (unwritten != null) {
            unwritten.flush();
            owed = unwritten.isEmpty() ? null : unwritten;
        }
        TrialRun run = current;
        if (run == null) {
            begin(now);
            return;
        }
        run.relay();
        if (isEnding || !wanted.equals(Optional.of(run.order()))) {
            run.drain();
        }
        if (run.isOver()) {
            run.close();
            current = null;
            idleNanos = now;
            listener.ended(run.order(), run.exitCode(), run.reason());
            if (run.isResult()) {
                done = Optional.of(run.order());
            } else {
                retryNanos = now + RETRY.toNanos();
            }
        }
    }

    private void begin(long now) {
        ReusableWorkers kept = reusable;
        if (kept != null && now - idleNanos > KEEP.toNanos()) {
            kept.endIdle();
            idleNanos = now;
        }
        if (isEnding || wanted.isEmpty() || wanted.equals(done) || now - retryNanos < 0) {
            return;
        }
        TrialOrder order = wanted.get();
        try {
            LaunchConfig config = TrialLaunch.of(order, defaults);
            current = new TrialRun(store, agent, order, config, news::add, workers(order, config));
            listener.began(order);
        } catch (LaunchConfigException | IllegalArgumentException | UncheckedIOException e) {
            done = wanted;
            listener.impossible(order, String.valueOf(e.getMessage()));
            TrialRecords records = new TrialRecords(store, StudyKeys.of(order.study()), order.trial(), agent);
            records.end("agent " + agent + ": " + e.getMessage());
            owed = records;
        }
    }

    private UnaryOperator<ProcessLauncher> workers(TrialOrder order, LaunchConfig config) {
        if (!order.reuse()) {
            return UnaryOperator.identity();
        }
        String key = TrialLaunch.reuseKey(order, config);
        ReusableWorkers kept = reusable;
        if (kept == null) {
            try {
                kept = ReusableWorkers.open();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot reuse workers", e);
            }
            reusable = kept;
        }
        ReusableWorkers open = kept;
        return own -> open.over(own, key);
    }
}
