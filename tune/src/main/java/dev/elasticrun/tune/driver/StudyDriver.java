/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.tune.store.LeasedKey;
import dev.elasticrun.tune.store.PoolKeys;
import dev.elasticrun.tune.store.PoolProof;
import dev.elasticrun.tune.store.StoreMirror;
import dev.elasticrun.tune.store.StoreMirror.Change;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.StudyKeys;
import dev.elasticrun.tune.store.TrialOrder;
import dev.elasticrun.tune.study.StudyAction;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.study.StudyListener;
import dev.elasticrun.tune.study.StudyPlanner;
import dev.elasticrun.tune.trial.PoolTimeline;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialPhase;
import dev.elasticrun.tune.trial.TrialTable;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Drives a study to its end: begins trials, gives agents of a pool their orders, judges what trials report. All that it knows is
 * in the store, so that a driver that is killed is followed by another one, which continues. Every write is guarded by the key of
 * the driver: two never decide for one study.
 */
public final class StudyDriver implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration CLAIM_LIMIT = LEASE.multipliedBy(3);
    private static final long POLL_MILLIS = 200;
    private static final long INCARNATIONS = 0xffff;

    private final StudyConfig config;
    private final RendezvousStore store;
    private final StudyKeys keys;
    private final PoolKeys pool;
    private final PoolProof proof;
    private final StudyPlanner planner;
    private final StudyListener listener;
    private final InstantSource clock;
    private final LeasedKey claim;
    private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
    private StudyState state;
    private boolean isLoaded;
    private final PoolView agents;
    private StudyDefinition definition;
    private volatile boolean isStopped;

    /**
     * @param pool name of the pool of agents
     * @param key the pool's
     */
    public StudyDriver(
            StudyConfig config,
            RendezvousStore store,
            String pool,
            byte[] key,
            StudyListener listener,
            InstantSource clock) {
        this.config = config;
        this.store = store;
        this.keys = StudyKeys.of(config.name());
        this.pool = PoolKeys.of(pool);
        this.proof = new PoolProof(key, pool);
        this.planner = new StudyPlanner(config.limits(), config.searcher());
        this.listener = listener;
        this.clock = clock;
        this.state = newState();
        this.agents = new PoolView(this.pool, this.proof, config.name());
        this.definition = StudyDefinition.of(
                config, Long.toHexString(new SecureRandom().nextLong() & INCARNATIONS), clock.instant());
        this.claim = new LeasedKey(store, keys.driver(), DriverProcess.own().bytes(), LEASE, "study-lease");
    }

    private StudyState newState() {
        return new StudyState(keys, new TrialTable(config.objective(), config.rule()));
    }

    /**
     * Drives the study until it has ended. Blocks.
     *
     * @return all trials
     * @throws StudyException if another driver has the study, or its definition is another one than at its start
     * @throws InterruptedException when the caller was interrupted; the study can be continued
     */
    public TrialTable run() throws InterruptedException {
        claim();
        define();
        StoreMirror ofStudy = StoreMirror.open(store, keys.all(), change -> news.add(() -> study(change)));
        StoreMirror ofPool = StoreMirror.open(store, pool.all(), change -> news.add(() -> pool(change)));
        try {
            while (!isDone()) {
                receive();
                if (isLoaded && agents.isLoaded()) {
                    attempt(this::act);
                }
            }
            attempt(this::release);
            return state.table();
        } finally {
            ofStudy.close();
            ofPool.close();
        }
    }

    private void receive() throws InterruptedException {
        Runnable next = news.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        while (next != null) {
            next.run();
            next = news.poll();
        }
    }

    /** Ends the study: no trial begins any more, and those that run are ended. Any thread. */
    public void stop() {
        isStopped = true;
    }

    private boolean isDone() {
        return isLoaded && (isStopped || planner.isDone(state.table(), isOver()));
    }

    private boolean isOver() {
        return config.budget().isUsedUp(Duration.between(definition.began(), clock.instant()), state.table());
    }

    // A driver that was killed has the study for as long as its lease, unless it can be seen to be dead.
    private void claim() throws InterruptedException {
        Instant deadline = clock.instant().plus(CLAIM_LIMIT);
        while (!joined(claim::claim)) {
            joined(this::dismissDead);
            if (clock.instant().isAfter(deadline)) {
                throw new StudyException(
                        "study " + config.name() + ": another process drives it (expected: none, or one that"
                                + " has ended more than " + LEASE.toSeconds() + " s ago)");
            }
            listener.waiting("another driver, which has the study, at most " + CLAIM_LIMIT.toSeconds() + " s");
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private boolean dismissDead() {
        for (KeyValue before : store.range(KeyRange.key(keys.driver())).join().entries()) {
            if (DriverProcess.of(before.value()).filter(DriverProcess::isDead).isPresent()) {
                return store.commit(new Transaction(
                                List.of(new Guard.ModRevision(keys.driver(), before.modRevision())),
                                List.of(new Operation.Delete(KeyRange.key(keys.driver()))),
                                List.of()))
                        .join()
                        .succeeded();
            }
        }
        return false;
    }

    private static <T> T joined(Supplier<T> question) {
        try {
            return question.get();
        } catch (CompletionException e) {
            throw new StudyException("the store does not answer: " + e.getCause());
        }
    }

    // Who starts a driver wants the study to go on, whatever was asked of the one before.
    private void define() {
        joined(() -> commit(new Operation.Delete(KeyRange.key(keys.stop()))));
        StudyDefinition own = definition;
        TransactionResult result = joined(() -> store.commit(new Transaction(
                        List.of(claim.owned(), new Guard.CreateRevision(keys.definition(), 0)),
                        List.of(new Operation.Put(keys.definition(), own.bytes(), 0)),
                        List.of(new Operation.Get(KeyRange.key(keys.definition())))))
                .join());
        StudyDefinition known = result.entries().stream()
                .findFirst()
                .map(entry -> StudyDefinition.parse(entry.value()))
                .orElse(own);
        if (!known.text().equals(own.text())) {
            throw new StudyException("study " + config.name()
                    + ": the store has another one of that name (expected: the definition that it was begun with, or"
                    + " another name)");
        }
        definition = known;
    }

    private void study(Change change) {
        if (change instanceof Change.All all) {
            state = newState();
            state.load(all.entries());
            isLoaded = true;
            TrialTable table = state.table();
            if (table.begun() > 0) {
                listener.continued(table.begun(), (int) (table.begun() - table.count(TrialPhase.RUNNING)));
            }
            isStopped |= all.entries().stream().anyMatch(this::isStop);
        } else if (change instanceof Change.Written written) {
            isStopped |= isStop(written.entry());
            state.apply(written.entry());
        } else if (change instanceof Change.Lost lost) {
            listener.waiting("the store: " + lost.cause().getMessage());
        }
    }

    private boolean isStop(KeyValue entry) {
        return entry.key().equals(keys.stop());
    }

    private void pool(Change change) {
        SortedMap<String, Integer> before = agents.trials();
        agents.apply(change);
        SortedMap<String, Integer> after = agents.trials();
        after.keySet().stream().filter(agent -> !before.containsKey(agent)).forEach(listener::arrived);
        before.keySet().stream().filter(agent -> !after.containsKey(agent)).forEach(listener::lost);
        agents.takeStrangers().forEach(listener::refused);
    }

    private void act() {
        agents.lost().forEach(this::release);
        endTrials();
        for (List<StudyAction> next = plan(); !next.isEmpty(); next = plan()) {
            next.forEach(this::carryOut);
        }
        control();
        recordPool();
        listener.looked(state.table());
    }

    private void recordPool() {
        SortedMap<String, Integer> now = new TreeMap<>(agents.trials());
        now.replaceAll((agent, trial) ->
                state.table().trial(trial).filter(Trial::isRunning).isPresent() ? trial : StudyPlanner.NO_TRIAL);
        PoolTimeline pool = state.table().pool();
        if (!pool.isNewest(now)) {
            state.apply(put(keys.pool(pool.nextNumber()), StudyCodec.pool(clock.instant(), now)));
        }
    }

    // What a write that failed was to do is found again at the next call; at the end the results count.
    private void attempt(Runnable writes) {
        try {
            writes.run();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof StoreException)) {
                throw e;
            }
            listener.waiting("the store: " + e.getCause().getMessage());
        }
    }

    private List<StudyAction> plan() {
        return planner.next(state.table(), agents.trials(), isOver());
    }

    private void endTrials() {
        for (Trial trial : List.copyOf(state.table().trials())) {
            if (trial.isRunning()) {
                state.end(trial.number(), agents.of(trial.number())).ifPresent(failure -> end(trial, failure));
            }
        }
    }

    private void end(Trial trial, String failure) {
        KeyValue written = put(keys.result(trial.number()), StudyCodec.end(failure));
        state.apply(written);
        listener.ended(trial);
    }

    private void carryOut(StudyAction action) {
        if (action instanceof StudyAction.Begin begin) {
            state.apply(put(
                    keys.parameters(begin.trial()),
                    StudyCodec.parameters(begin.parameters()).getBytes(StandardCharsets.UTF_8)));
            listener.began(state.table().trial(begin.trial()).orElseThrow());
        } else if (action instanceof StudyAction.Assign assign) {
            Trial trial = state.table().trial(assign.trial()).orElseThrow();
            boolean isFirst = agents.of(assign.trial()).isEmpty();
            byte[] order = proof.prove(PoolProof.Kind.ORDER, assign.agent(), StudyCodec.order(order(trial)));
            agents.apply(new Change.Written(put(pool.order(assign.agent()), order)));
            if (!isFirst) {
                listener.joined(assign.agent(), trial);
            }
        } else if (action instanceof StudyAction.Release release) {
            release(release.agent());
        }
    }

    private TrialOrder order(Trial trial) {
        return new TrialOrder(
                config.name(),
                trial.number(),
                config.runId(definition.incarnation(), trial.number()),
                config.program().program(),
                config.program().arguments(config.name(), trial.number(), trial.parameters()),
                config.program().settings(),
                StudyCodec.parameters(trial.parameters()),
                config.program().reuse());
    }

    private void control() {
        for (Trial trial : state.table().trials()) {
            if (state.isToBeControlled(trial)) {
                state.apply(put(keys.control(trial.number()), trial.control().bytes()));
                if (trial.control().stop()) {
                    listener.stopped(trial);
                }
            }
        }
    }

    // Agents that still work drain: their order is gone.
    private void release() {
        for (String agent : new ArrayList<>(agents.trials().keySet())) {
            if (agents.trials().getOrDefault(agent, StudyPlanner.NO_TRIAL) != StudyPlanner.NO_TRIAL) {
                release(agent);
            }
        }
    }

    private void release(String agent) {
        commit(new Operation.Delete(KeyRange.key(pool.order(agent))));
        agents.apply(new Change.Deleted(pool.order(agent)));
    }

    private KeyValue put(String key, byte[] value) {
        long revision = commit(new Operation.Put(key, value, 0));
        return new KeyValue(key, value, revision, revision, 0);
    }

    private long commit(Operation operation) {
        TransactionResult result = store.commit(new Transaction(List.of(claim.owned()), List.of(operation), List.of()))
                .join();
        if (!result.succeeded()) {
            throw new StudyException("study " + config.name() + ": another process drives it now");
        }
        return result.revision();
    }

    /** Gives the study up; another driver may continue it. */
    @Override
    public void close() {
        claim.close();
    }
}
