/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RendezvousConfig;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One agent under virtual time: the real rules, machine, adapter and rendezvous; what is outside of them is {@link
 * Outside}. The only class of the simulator that knows the agent's own types: what changes there is answered here.
 */
public final class SimulatedAgent implements RendezvousAdapter.Edges {
    private final AgentSettings settings;
    private final SimulatedLoop loop;
    private final SimulatedStoreClient store;
    private final RendezvousConfig config;
    private final RestartPolicyStrategy strategy;
    private final Outside outside;
    private final AgentMachine machine;
    private final RendezvousAdapter adapter;
    private @Nullable Rendezvous rendezvous;
    private AgentState last;

    /** What one node is made of. */
    public record Node(String nodeId, int slots, Duration pauseTimeout, Duration shutdownTimeout) {}

    /** Worker processes, ports, other agents. Called in the agent's loop. */
    public interface Outside {
        int reservePort();

        /** @param first what the worker finds in its channel, under {@code hard} */
        void start(int slot, int generation, int port, @Nullable WorkerEvent first, @Nullable PeerTable peers);

        void stop(int generation, Duration grace);

        void tell(int slot, int generation, WorkerEvent event, @Nullable PeerTable peers);

        void leaseDeadline(long deadlineNanos);

        /** @param coordinator null: this agent is it */
        void holdConnectionTo(@Nullable NodeRecord coordinator);

        void goodbye();

        void note(String line);

        void ended(int exitCode, String reason, @Nullable Verdict verdict);
    }

    public SimulatedAgent(
            Node node,
            SimulatedLoop loop,
            SimulatedStoreClient store,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            Outside outside) {
        this.settings = new AgentSettings(
                node.nodeId(),
                node.nodeId(),
                "10.0.0." + node.nodeId(),
                node.slots(),
                "default",
                config.maxRestarts(),
                strategy.workersOutliveRounds(),
                node.pauseTimeout(),
                node.shutdownTimeout());
        this.loop = loop;
        this.store = store;
        this.config = config;
        this.strategy = strategy;
        this.outside = outside;
        this.last = AgentState.initial(settings);
        this.machine = new AgentMachine(loop, new AgentRules(settings), this::publish, this::run);
        this.adapter = new RendezvousAdapter(machine, settings, this);
    }

    private void publish(AgentState state) {
        last = state;
        adapter.publish(state);
    }

    public void start() {
        loop.execute(() -> {
            machine.apply(new AgentEvent.Launched());
            NodeRecord record = machine.state().toRecord(settings, 9000);
            Rendezvous made = new Rendezvous(
                    store, loop, config, strategy, record, "i-" + settings.nodeId(), new SecureRandom(), adapter);
            rendezvous = made;
            adapter.join(made, record);
        });
    }

    private void run(AgentEffect effect) {
        AgentState state = machine.state();
        RunIdentity identity = state.identity();
        if (effect instanceof AgentEffect.ReservePorts reserve) {
            List<Integer> workers = new ArrayList<>();
            int master = outside.reservePort();
            for (int slot = 0; reserve.workers() && slot < settings.slots(); slot++) {
                workers.add(outside.reservePort());
            }
            machine.post(new AgentEvent.PortsReserved(master, workers));
        } else if (effect instanceof AgentEffect.StartGroup start) {
            startGroup(state, start);
        } else if (effect instanceof AgentEffect.StopGroup stop) {
            outside.stop(stop.generation(), stop.grace());
        } else if (effect instanceof AgentEffect.Pause pause && identity != null) {
            for (int slot = 0; slot < settings.slots(); slot++) {
                outside.tell(slot, pause.generation(), WorkerEvents.pause(pause, Instant.EPOCH, identity), null);
            }
        } else if (effect instanceof AgentEffect.Work work && identity != null) {
            for (int slot = 0; slot < settings.slots(); slot++) {
                WorkerInfo info = WorkerInfos.of(work.round(), settings.nodeId(), slot);
                WorkerEvent event = WorkerEvents.work(work.seq(), Instant.EPOCH, identity, work.round(), info);
                outside.tell(slot, work.generation(), event, WorkerInfos.peers(work.round()));
            }
        } else if (effect instanceof AgentEffect.Schedule schedule) {
            machine.later(schedule.delay(), schedule.event());
        } else if (effect instanceof AgentEffect.Log log) {
            outside.note(log.kind() + " " + log.fields());
        } else if (effect instanceof AgentEffect.Finish finish) {
            finish(finish);
        } else {
            throw new IllegalStateException("the simulator cannot carry out " + effect);
        }
    }

    private void startGroup(AgentState state, AgentEffect.StartGroup start) {
        Round round = start.round();
        RunIdentity identity = state.identity();
        for (int slot = 0; slot < settings.slots(); slot++) {
            int port = state.group().workers().get(slot).port();
            if (round == null || identity == null) {
                outside.start(slot, start.generation(), port, null, null);
            } else {
                WorkerInfo info = WorkerInfos.of(round, settings.nodeId(), slot);
                WorkerEvent work = WorkerEvents.work(1, Instant.EPOCH, identity, round, info);
                outside.start(slot, start.generation(), port, work, WorkerInfos.peers(round));
            }
        }
    }

    private void finish(AgentEffect.Finish finish) {
        machine.stop();
        outside.goodbye();
        Rendezvous joined = rendezvous;
        if (joined == null) {
            outside.ended(finish.exitCode(), finish.reason(), null);
        } else {
            joined.leave(false)
                    .whenComplete((ok, error) ->
                            outside.ended(finish.exitCode(), finish.reason(), adapter.verdict()));
        }
    }

    public void workerStarted(int slot, int generation, long pid) {
        machine.post(new AgentEvent.WorkerStarted(generation, slot, pid));
    }

    public void workerSaid(int slot, int generation, UpMessage message) {
        machine.post(new AgentEvent.WorkerSaid(generation, slot, message));
    }

    public void workerEnded(int slot, int generation, int exitCode, String message) {
        machine.post(new AgentEvent.WorkerEnded(generation, slot, exitCode, message, "", List.of(), "worker.log"));
    }

    public void groupGone(int generation) {
        machine.post(new AgentEvent.GroupGone(generation));
    }

    public void drain() {
        machine.post(new AgentEvent.DrainRequested(143));
    }

    /** A connection to that agent's process ended without a goodbye, and its address refuses another. */
    public void proveDead(NodeRecord dead) {
        loop.execute(() -> {
            outside.note("proves the death of " + dead.nodeId());
            adapter.proveDead(dead, "connection refused");
        });
    }

    /** Another agent as this one knows it; only the coordinator knows others. */
    public void lookUp(String nodeId, Consumer<NodeRecord> found) {
        loop.execute(() -> {
            if (rendezvous != null) {
                Optional<NodeRecord> known = rendezvous.nodes().stream()
                        .filter(record -> record.nodeId().equals(nodeId))
                        .findFirst();
                known.ifPresent(found);
            }
        });
    }

    /** What the agent is, for those who look at it from outside of time. */
    public Status status() {
        return Status.of(last, machine.stopped());
    }

    /** What matters of the agent's state to the simulator. */
    public record Status(
            NodePhase phase, int generation, long workingRound, boolean ending, boolean stopped, boolean groupFailed) {
        private static Status of(AgentState state, boolean stopped) {
            return new Status(
                    state.phase(),
                    state.group().generation(),
                    state.workingRound(),
                    state.isEnding(),
                    stopped,
                    state.group().failed());
        }
    }

    @Override
    public void onJoined(RunIdentity identity, boolean first) {
        outside.note((first ? "joined " : "joined again ") + identity.incarnation());
    }

    @Override
    public void onLeaseDeadline(long deadlineNanos) {
        outside.leaseDeadline(deadlineNanos);
    }

    @Override
    public void onCoordinator(NodeRecord coordinator) {
        outside.holdConnectionTo(coordinator);
    }

    @Override
    public void onElected() {
        outside.note("elected");
        outside.holdConnectionTo(null);
    }

    @Override
    public void onWaiting(String reason) {
        outside.note("coordinator: " + reason);
    }

    @Override
    public void onDecided(Round decided) {
        // The write tells.
    }

    @Override
    public void onPublished(Round published) {
        // The write tells.
    }
}
