/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.agent.context.NodeIdentity;
import dev.elasticrun.agent.context.RetryLimits;
import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.SimulatedLinks;
import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.rules.AgentRules;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.CopyRules;
import dev.elasticrun.agent.store.LeaseDoubt;
import dev.elasticrun.agent.worker.WorkerEvents;
import dev.elasticrun.agent.worker.WorkerInfos;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.RunFounder;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One agent under virtual time: the real rules, machine, driver and rendezvous; what is outside of them is {@link
 * Outside}. The only class of the simulator that knows the agent's own types: what changes there is answered here.
 */
public final class SimulatedAgent implements ControlPeer {
    private static final Instant EPOCH = Instant.ofEpochSecond(0);
    private static final int CONTROL_PORT = 9000;
    private static final int REPLICAS = 2;

    private final AgentSettings settings;
    private final SimulatedLoop loop;
    private final SimulatedStoreClient store;
    private final RendezvousConfig config;
    private final RestartPolicyStrategy strategy;
    private final Outside outside;
    private final AgentMachine machine;
    private final RendezvousDriver driver;
    private final SimulatedLinks.End links;
    private @Nullable Rendezvous rendezvous;
    private AgentState last;
    private final PendingOrder pending = new PendingOrder();
    private final CheckpointCopies copies;

    /** What one node is made of. */
    public record Node(String nodeId, int slots, int spares, Duration pauseTimeout, Duration shutdownTimeout) {}

    /** Receives what the node has now, if something came, and why it did not. */
    public interface Copied {
        /** @param since the newest round in which the run lost all its state, according to the other node */
        void done(Optional<CheckpointId> newest, long since, @Nullable String problem);
    }

    /** Worker processes, ports, other agents. Called in the agent's loop. */
    public interface Outside {
        int reservePort();

        /**
         * A fresh worker in this slot.
         *
         * @param first what it finds in its channel
         */
        void start(int slot, int attempt, int port, @Nullable WorkerEvent first, @Nullable PeerTable peers);

        /** Stops the workers of all slots; {@link SimulatedAgent#groupGone} when no process is left. */
        void stop(int generation, Duration grace);

        void kill(int slot, int attempt);

        /** The worker in this slot, if it lives, finds the event for the next number of its channel. */
        void publish(int slot, int generation, LongFunction<WorkerEvent> event, @Nullable PeerTable peers);

        /** Gets the newest checkpoint of these nodes, and then runs the last part in the agent's loop. */
        void fetch(Round round, List<StateSource> sources, Runnable then);

        /**
         * Gets the checkpoint of that node if it is newer, and then runs the last part in the agent's loop.
         */
        void copy(String from, Copied done);

        void leaseDeadline(long deadlineNanos);

        /** Its control plane. */
        SimulatedLinks.End connect(ControlPeer self);

        void provedDead(String deadNodeId);

        /** Its state followed from that event. */
        void moved(AgentState before, AgentEvent event, AgentState after);

        void note(String line);

        /** As the coordinator. */
        void decided(PlannerCall call);

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
                new NodeIdentity(node.nodeId(), node.nodeId(), "10.0.0." + node.nodeId(), NodeRecord.Reports.ANY_PLACE),
                node.slots(),
                node.spares(),
                "default",
                new AgentSettings.Restarts(
                        strategy.workersOutliveRounds(),
                        FailedWorker.under(strategy),
                        config.terms().restarts(),
                        RetryLimits.NONE,
                        StateLoss.RESTART),
                new AgentSettings.Times(node.pauseTimeout(), Duration.ZERO, node.shutdownTimeout()));
        this.loop = loop;
        this.store = store;
        this.config = config;
        this.strategy = strategy;
        this.outside = outside;
        this.last = AgentState.initial(settings);
        this.machine = new AgentMachine(loop, new AgentRules(settings), this::publish, this::run);
        this.driver = new RendezvousDriver(
                machine, LeaseDoubt.OTHERS_CONTINUE, (identity, placed) -> placed.run(), List.of(this::onEvent));
        this.links = outside.connect(this);
        this.copies = new CheckpointCopies(
                loop,
                new CopyRules(settings.nodeId(), REPLICAS),
                machine,
                (source, run, done) -> outside.copy(
                        source.holder().nodeId(),
                        (newest, since, problem) ->
                                done.accept(new CheckpointCopies.Result(newest, since, 0, problem))),
                event -> outside.note(event.kind() + " " + EventFields.of(event)));
    }

    private void publish(AgentState state, AgentEvent event) {
        outside.moved(last, event, state);
        last = state;
        if (rendezvous != null) {
            rendezvous.update(state.toRecord(settings, CONTROL_PORT));
        }
    }

    public void start() {
        loop.execute(() -> {
            machine.apply(new AgentEvent.Launched());
            NodeRecord record = machine.state().toRecord(settings, CONTROL_PORT);
            Rendezvous made = new Rendezvous(
                    store,
                    loop,
                    config,
                    strategy,
                    record,
                    new RunFounder("i-" + settings.nodeId(), new SecureRandom()),
                    driver);
            made.recordDecisionsBy((call, incident) -> outside.decided(call));
            rendezvous = made;
            if (!machine.state().isEnding()) {
                made.start();
            }
            copies.start();
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
            pending.cancel();
            Round round = start.round();
            if (round == null || start.sources().isEmpty()) {
                startGroup(state, start);
            } else {
                afterFetch(pending.begin(null), round, start.sources(), () -> startGroup(state, start));
            }
        } else if (effect instanceof AgentEffect.StopGroup stop) {
            pending.cancel();
            outside.stop(stop.generation(), stop.grace());
        } else if (effect instanceof AgentEffect.ReplaceWorkers replace) {
            WorkerEvent first = replace.pause() && identity != null ? WorkerEvents.firstPause(EPOCH, identity) : null;
            replace.slots().forEach(slot -> outside.start(slot, replace.generation(), 0, first, null));
        } else if (effect instanceof AgentEffect.KillWorker kill) {
            outside.kill(kill.slot(), kill.attempt());
        } else if (effect instanceof AgentEffect.Pause pause && identity != null) {
            pending.overtake();
            publish(pause, identity);
        } else if (effect instanceof AgentEffect.Work work && identity != null) {
            pending.overtake();
            if (work.sources().isEmpty()) {
                publish(work, identity);
            } else {
                afterFetch(
                        pending.begin(() -> publish(work.overtaken(), identity)),
                        work.round(),
                        work.sources(),
                        () -> publish(work, identity));
            }
        } else if (effect instanceof AgentEffect.NoteCheckpoint note) {
            outside.note("has " + note.newest());
        } else if (effect instanceof AgentEffect.Schedule schedule) {
            machine.later(schedule.delay(), schedule.event());
        } else if (effect instanceof AgentEffect.Log log) {
            outside.note(log.event().kind() + " " + EventFields.of(log.event()));
        } else if (effect instanceof AgentEffect.Finish finish) {
            finish(finish);
        } else {
            throw new IllegalStateException("the simulator cannot carry out " + effect);
        }
    }

    private void afterFetch(PendingOrder.Waiting waiting, Round round, List<StateSource> sources, Runnable publish) {
        outside.fetch(round, sources, () -> {
            if (!machine.stopped()) {
                waiting.complete(publish);
            }
        });
    }

    private void publish(AgentEffect.Pause pause, RunIdentity identity) {
        for (int slot = 0; slot < settings.processes(); slot++) {
            outside.publish(slot, pause.generation(), seq -> WorkerEvents.pause(seq, pause, EPOCH, identity), null);
        }
    }

    private void publish(AgentEffect.Work work, RunIdentity identity) {
        Round round = work.round();
        Participant own = round.participant(settings.nodeId()).orElseThrow();
        for (int slot = 0; slot < settings.processes(); slot++) {
            if (own.rank(slot).isEmpty()) {
                AgentEffect.Pause pause = work.overtaken();
                outside.publish(slot, work.generation(), seq -> WorkerEvents.pause(seq, pause, EPOCH, identity), null);
                continue;
            }
            WorkerInfo info = WorkerInfos.of(round, settings.nodeId(), slot, rank -> Map.of());
            outside.publish(
                    slot,
                    work.generation(),
                    seq -> WorkerEvents.work(seq, EPOCH, identity, round, work.cause(), info),
                    WorkerInfos.peers(round));
        }
    }

    private void startGroup(AgentState state, AgentEffect.StartGroup start) {
        Round round = start.round();
        RunIdentity identity = state.identity();
        for (int slot = 0; slot < settings.processes(); slot++) {
            int port = state.group().workers().get(slot).port();
            if (round == null || identity == null) {
                outside.start(slot, start.generation(), port, null, null);
            } else {
                WorkerInfo info = WorkerInfos.of(round, settings.nodeId(), slot, rank -> Map.of());
                WorkerEvent first = WorkerEvents.work(1, EPOCH, identity, round, start.cause(), info);
                outside.start(slot, start.generation(), port, first, WorkerInfos.peers(round));
            }
        }
    }

    private void finish(AgentEffect.Finish finish) {
        machine.stop();
        links.sendGoodbye();
        Rendezvous joined = rendezvous;
        if (joined == null) {
            outside.ended(finish.exitCode(), finish.reason(), null);
        } else {
            joined.leave(false)
                    .whenComplete((ok, error) -> outside.ended(finish.exitCode(), finish.reason(), driver.verdict()));
        }
    }

    public void workerStarted(int slot, int attempt, long pid) {
        machine.post(new AgentEvent.WorkerStarted(attempt, slot, pid));
    }

    public void workerReported(int slot, int attempt, UpMessage message) {
        machine.post(new AgentEvent.WorkerReported(attempt, slot, message));
    }

    /** Before the end of a worker, which leaves it in the files of the node. */
    public void checkpointHeld(CheckpointId newest) {
        machine.post(new AgentEvent.CheckpointHeld(newest));
    }

    /** What the agent would publish now. */
    public NodeRecord record() {
        return last.toRecord(settings, CONTROL_PORT);
    }

    /** The newest round in which the run lost all its state, according to this node; 0 = none. */
    public long lostIn() {
        return last.checkpoints().newest().since();
    }

    public Optional<String> incarnation() {
        return Optional.ofNullable(last.identity()).map(RunIdentity::incarnation);
    }

    public void workerEnded(int slot, int attempt, int exitCode, String message) {
        machine.post(new AgentEvent.WorkerEnded(
                attempt, slot, exitCode, Failure.Evidence.of(FailureKind.ofExit(exitCode), message), 0));
    }

    public void workerGone(int slot, int attempt) {
        machine.post(new AgentEvent.WorkerGone(attempt, slot));
    }

    public void groupGone(int generation) {
        machine.post(new AgentEvent.GroupGone(generation));
    }

    public void drain() {
        machine.post(new AgentEvent.DrainRequested(143));
    }

    /** Somebody asks the run for something by this agent, which reports to nobody what came of it. */
    public void ask(Command command) {
        loop.execute(() -> {
            if (rendezvous != null && !machine.stopped()) {
                rendezvous.ask(command);
            }
        });
    }

    @Override
    public void proveDead(NodeLife dead, String evidence) {
        if (!machine.stopped()) {
            outside.provedDead(dead.nodeId());
            if (rendezvous != null) {
                rendezvous.proveDead(dead.nodeId(), dead.createRevision(), dead.leaseId(), evidence);
            }
        }
    }

    @Override
    public CompletableFuture<RunDescription> describe() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("nobody asks"));
    }

    /** What the agent is, for those who look at it from outside of time. */
    public Status status() {
        return Status.of(last, machine.stopped());
    }

    /** What matters of the agent's state to the simulator. */
    public record Status(
            NodePhase phase,
            int generation,
            long workingRound,
            long newestRound,
            boolean joined,
            boolean ending,
            boolean stopped,
            boolean groupFailed) {
        private static Status of(AgentState state, boolean stopped) {
            return new Status(
                    state.phase(),
                    state.group().generation(),
                    state.workingRound(),
                    state.round() == null ? 0 : state.round().number(),
                    state.identity() != null,
                    state.isEnding(),
                    stopped,
                    state.group().failed());
        }
    }

    private void onEvent(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.LeaseDeadline deadline) {
            outside.leaseDeadline(deadline.nanos());
        } else if (event instanceof RendezvousEvent.Joined joined) {
            onJoined(joined);
        } else if (event instanceof RendezvousEvent.RecordChanged changed) {
            links.sendToCoordinator(changed.record());
        } else if (event instanceof RendezvousEvent.CoordinatorChanged changed) {
            NodeRecord other = changed.coordinator();
            links.coordinator(Neighbour.of(other.spec()));
        } else if (event instanceof RendezvousEvent.Elected) {
            outside.note("elected");
            links.coordinator(null);
        } else if (event instanceof RendezvousEvent.RoundChanged changed) {
            loop.execute(() -> links.ring(changed.round().participants()));
        } else if (event instanceof RendezvousEvent.Waiting waiting) {
            outside.note("coordinator: " + waiting.reason());
        }
    }

    private void onJoined(RendezvousEvent.Joined joined) {
        boolean first = machine.state().identity() == null;
        outside.note((first ? "joined " : "joined again ") + joined.identity().incarnation());
        links.joined(
                joined.identity(),
                new NodeLife(
                        settings.nodeId(),
                        settings.address(),
                        CONTROL_PORT,
                        joined.createRevision(),
                        joined.leaseId(),
                        joined.revokedBefore()));
    }

    @Override
    public void receive(String sender, byte[] record) {
        if (rendezvous != null && !machine.stopped()) {
            rendezvous.receive(sender, record);
        }
    }
}
