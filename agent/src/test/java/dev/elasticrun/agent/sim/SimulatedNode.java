/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.agent.SimulatedAgent;
import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.SimulatedLinks;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** One node: a real agent, its worker processes, and the guard that ends them when the agent dies. */
final class SimulatedNode implements SimulatedAgent.Outside {
    final String nodeId;
    final int slots;
    final SimulatedLoop loop;
    final SimulatedStoreClient store;
    private final SimulatedCluster cluster;
    private final SimulatedAgent agent;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final Map<Integer, SimulatedWorker> current = new TreeMap<>();
    private long leaseDeadlineNanos = Long.MAX_VALUE;
    private boolean crashed;
    private @Nullable Exit exit;

    /** How the agent ended by itself. */
    record Exit(int code, String reason, @Nullable Verdict verdict, long atNanos) {}

    SimulatedNode(String nodeId, int slots, SimulatedCluster cluster) {
        this.nodeId = nodeId;
        this.slots = slots;
        this.cluster = cluster;
        this.loop = new SimulatedLoop(cluster.time);
        this.store = cluster.store.connect(loop);
        store.lose(cluster.lossPerMille);
        SimulatedAgent.Node parts = new SimulatedAgent.Node(
                nodeId, slots, cluster.spares, SimulatedCluster.PAUSE_TIMEOUT, SimulatedCluster.SHUTDOWN_TIMEOUT);
        this.agent = new SimulatedAgent(parts, loop, store, cluster.config, cluster.strategy, this);
    }

    /** Where other nodes reach it. */
    String address() {
        return "10.0.0." + nodeId;
    }

    void start() {
        agent.start();
    }

    SimulatedAgent.Status status() {
        return agent.status();
    }

    SimulatedAgent agent() {
        return agent;
    }

    /** The agent's process is there, perhaps frozen. */
    boolean alive() {
        return !loop.dead();
    }

    boolean crashed() {
        return crashed;
    }

    @Nullable
    Exit exit() {
        return exit;
    }

    /** Alive, and not on its way out. */
    boolean stays() {
        return alive() && !status().ending() && status().phase() != NodePhase.BROKEN;
    }

    List<SimulatedWorker> workers() {
        return workers;
    }

    /** The newest worker of each slot that has one, dead or alive. */
    List<SimulatedWorker> current() {
        return List.copyOf(current.values());
    }

    List<SimulatedWorker> living() {
        return current.values().stream().filter(worker -> !worker.exited()).toList();
    }

    /** Whether its workers may work as far as their heads allow. */
    boolean deadlinePassed() {
        return cluster.time.nowNanos() > leaseDeadlineNanos;
    }

    /** The agent's process is killed; the guard kills the workers. */
    void crash() {
        crashed = true;
        loop.kill();
        cluster.time.after(cluster.millis(5, 15), this::killWorkers);
    }

    /** The whole node is gone at once. */
    void powerOff() {
        crashed = true;
        loop.kill();
        killWorkers();
    }

    private void killWorkers() {
        List.copyOf(workers).forEach(worker -> worker.exit(137, "killed"));
    }

    /** @param workersToo a frozen machine rather than a stopped agent */
    void freeze(Duration length, boolean workersToo) {
        loop.freeze();
        List<SimulatedWorker> frozen =
                workersToo ? workers.stream().filter(worker -> !worker.exited()).toList() : List.of();
        frozen.forEach(SimulatedWorker::freeze);
        cluster.time.after(length, () -> {
            frozen.forEach(SimulatedWorker::thaw);
            if (alive()) {
                loop.thaw();
            }
        });
    }

    void stated(SimulatedWorker worker, Duration delay, UpMessage message) {
        if (message instanceof UpMessage.ExcludeNode) {
            cluster.invariants.returns().onExclude(nodeId);
        }
        loop.outside(delay, () -> agent.workerReported(worker.slot, worker.attempt, message));
    }

    void started(SimulatedWorker worker, long pid) {
        loop.outside(Duration.ZERO, () -> agent.workerStarted(worker.slot, worker.attempt, pid));
    }

    void ended(SimulatedWorker worker, Duration delay, int exitCode, String message) {
        loop.outside(delay, () -> cluster.checkpoints.newest(this).ifPresent(agent::checkpointHeld));
        loop.outside(delay, () -> agent.workerEnded(worker.slot, worker.attempt, exitCode, message));
        loop.outside(delay.plus(cluster.millis(1, 5)), () -> agent.workerGone(worker.slot, worker.attempt));
    }

    @Override
    public int reservePort() {
        return cluster.reservePort();
    }

    @Override
    public void start(int slot, int attempt, int port, @Nullable WorkerEvent first, @Nullable PeerTable peers) {
        workers.removeIf(worker -> worker.exited() && worker.attempt < attempt - 1);
        SimulatedWorker worker = new SimulatedWorker(this, slot, attempt, port, cluster);
        cluster.invariants.onStart(this, slot);
        workers.add(worker);
        current.put(slot, worker);
        worker.start(first, peers);
    }

    @Override
    public void stop(int generation, Duration grace) {
        cluster.invariants.onStop(this);
        List<SimulatedWorker> stopping = living();
        stopping.forEach(worker -> worker.terminate(grace));
        reportGone(generation, stopping);
    }

    @Override
    public void kill(int slot, int attempt) {
        current.values().stream()
                .filter(worker -> worker.slot == slot && worker.attempt == attempt)
                .forEach(worker -> loop.outside(cluster.millis(1, 3), () -> worker.exit(137, "killed")));
    }

    private void reportGone(int generation, List<SimulatedWorker> stopping) {
        if (stopping.stream().allMatch(SimulatedWorker::exited)) {
            loop.outside(cluster.millis(4, 8), () -> agent.groupGone(generation));
        } else {
            loop.outside(Duration.ofMillis(5), () -> reportGone(generation, stopping));
        }
    }

    @Override
    public void publish(int slot, int generation, LongFunction<WorkerEvent> event, @Nullable PeerTable peers) {
        SimulatedWorker worker = current.get(slot);
        if (worker != null && !worker.exited() && worker.attempt <= generation) {
            worker.receive(event.apply(worker.nextSeq()), peers);
        }
    }

    @Override
    public void fetch(Round round, List<StateSource> sources, Runnable then) {
        cluster.checkpoints.fetch(this, round, sources, then);
    }

    @Override
    public void copy(String from, SimulatedAgent.Copied done) {
        cluster.checkpoints.copy(this, from, done);
    }

    @Override
    public void leaseDeadline(long deadlineNanos) {
        leaseDeadlineNanos = deadlineNanos;
        cluster.invariants.onDeadline(this);
        cluster.mesh.wake(this);
    }

    @Override
    public SimulatedLinks.End connect(ControlPeer self) {
        return cluster.control.open(this, self);
    }

    @Override
    public void provedDead(String deadNodeId) {
        note("proves the death of " + deadNodeId);
        cluster.invariants.onProvedDead(this, deadNodeId);
    }

    @Override
    public void moved(AgentState before, AgentEvent event, AgentState after) {
        cluster.transitions.add(before, event, after);
    }

    @Override
    public void decided(PlannerCall call) {
        cluster.decisions.add(call);
        ReturnInvariants.onDecided(call, cluster.strategy.elasticWorkers());
        OrderInvariants.onDecided(call, cluster.strategy.elasticWorkers());
    }

    @Override
    public void note(String line) {
        cluster.time.note(nodeId + ": " + line);
    }

    @Override
    public void ended(int exitCode, String reason, @Nullable Verdict verdict) {
        note("EXIT " + exitCode + " " + reason);
        exit = new Exit(exitCode, reason, verdict, cluster.time.nowNanos());
        loop.kill();
        cluster.control.died(this);
        cluster.invariants.onExit(this);
    }
}
