/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.command.RunCommands;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.context.OtherEncryptionException;
import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.ControlPlane;
import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.control.RunStatus;
import dev.elasticrun.agent.directory.AgentDirectories;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.agent.observe.AgentJournal;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.CopyRules;
import dev.elasticrun.agent.store.KeyFiles;
import dev.elasticrun.agent.store.LeaseDoubt;
import dev.elasticrun.agent.store.OpenedStore;
import dev.elasticrun.agent.store.StoreOpener;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.agent.worker.LiveStatus;
import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.agent.worker.WorkerGroups;
import dev.elasticrun.agent.worker.WorkerInspector;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.RunFounder;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.Daemons;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's side of the rendezvous: opens the store and the control service, wires what happens in the run to the parts
 * that act on it, and answers the control plane. Owned by the loop, but for {@link #open}, {@link #run}, {@link #nodeStatus} and
 * {@link #close}.
 */
final class NodeRendezvous implements ControlPeer {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRendezvous.class);
    /** By then the first steps are done, for which all wait that has just started. */
    private static final Duration REHEARSAL_DELAY = Duration.ofSeconds(3);

    private final AgentContext context;
    private final EventLoop loop;
    private final CheckpointFiles checkpoints;
    private final CopyRules copyRules;
    private final WorkerGroups groups;
    private final AgentJournal journal;
    private final AgentMachine machine;
    private final AgentWeb web;
    private final RunFileWriter runFiles;
    private final RoundHistory history;
    private final KeyFiles keyFiles;
    private final Refusals refusals = new Refusals(System::nanoTime, this::onRefused);
    private final RunCommands commands;
    private final CoordinationNews coordination;
    private final AdoptedEncryption encryption;
    private volatile @Nullable Connection connection;
    private volatile CopyTerms copyTerms = CopyTerms.NONE;
    private boolean serving;
    private boolean rehearsing;

    NodeRendezvous(
            AgentContext context,
            EventLoop loop,
            AgentDirectories directories,
            CopyRules copyRules,
            WorkerGroups groups,
            AgentJournal journal,
            AgentMachine machine,
            AgentWeb web) {
        this.context = context;
        this.loop = loop;
        this.checkpoints = directories.checkpoints();
        this.copyRules = copyRules;
        this.groups = groups;
        this.journal = journal;
        this.machine = machine;
        this.web = web;
        this.runFiles = new RunFileWriter(context, directories.run(), web);
        this.history = new RoundHistory(context.nodeId());
        this.keyFiles = new KeyFiles(loop, directories.run(), context.tls(), groups.channels()::makeRoom);
        this.commands = new RunCommands(
                context.nodeId(),
                loop,
                machine::state,
                web.observer(),
                new WorkerInspector(context.nodeId(), context.files(), context.tls(), loop),
                this::record);
        this.encryption = new AdoptedEncryption(context, machine);
        this.coordination = new CoordinationNews(context.nodeId(), loop, machine, journal);
    }

    // The components that exist once the store is open.
    private record Connection(
            OpenedStore store, ControlPlane control, RendezvousDriver driver, Rendezvous rendezvous) {}

    /** Opens the store and begins to join the run. Blocks; called by a thread of its own. */
    void open() {
        context.tls().ifPresent(NodeRendezvous::rehearse);
        try {
            OpenedStore store = StoreOpener.open(
                    context.config(), context.place(), context.runId(), context.tls(), refusals, context.random());
            if (store.isServedHere()) {
                runFiles.serving(store.endpoints());
            }
            ControlPlane control =
                    ControlPlane.start(context.nodeId(), loop, this, context.place(), context.tls(), refusals);
            loop.execute(() -> join(store, control));
        } catch (OtherEncryptionException e) {
            encryption.onOther(e.encrypted() ? RunTls.GENERATED : RunTls.OFF, String.valueOf(e.getMessage()));
        } catch (LaunchConfigException e) {
            abort(ExitCode.USAGE, e.getMessage());
        } catch (UncheckedIOException e) {
            Throwable cause = e.getCause();
            abort(ExitCode.USAGE, e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()));
        } catch (StoreOpener.StoreUnreachableException e) {
            abort(ExitCode.STORE_LOST, e.getMessage());
        } catch (RuntimeException e) {
            abort(ExitCode.WORKER_FAILURE, e.toString());
        }
    }

    private void abort(ExitCode code, @Nullable String why) {
        machine.post(new AgentEvent.Aborted(code.code(), String.valueOf(why)));
    }

    private static void rehearse(RunTls tls) {
        Daemons.start("tls-warm-up", tls::rehearse);
    }

    /** On a thread of its own: it takes a fraction of a second. */
    private void rehearseLoss() {
        Connection open = connection;
        if (open != null && !machine.stopped()) {
            open.rendezvous()
                    .rehearsal(machine.state()
                            .toRecord(context.settings(), open.control().port()))
                    .ifPresent(rehearsal -> Daemons.start(
                            "loss-rehearsal", rehearsal::play, why -> LOG.debug("no rehearsal of a loss: {}", why)));
        }
    }

    private void join(OpenedStore store, ControlPlane control) {
        store.announce(context);
        LeaseDoubt leaseDoubt = LeaseDoubt.of(context.config(), store.isServedHere());
        RendezvousEffects effects = new RendezvousEffects(
                context,
                machine,
                journal,
                groups.channels(),
                web,
                history,
                leaseDoubt,
                identity -> runFiles.joined(identity.incarnation(), store.endpoints(), control.port()));
        RunLinks links = new RunLinks(context.settings(), loop, control, this::record);
        RendezvousDriver driver = new RendezvousDriver(
                machine, leaseDoubt, this::placeKey, List.of(coordination, links, effects, commands, encryption));
        Rendezvous rendezvous = new Rendezvous(
                store.store(),
                loop,
                store.rendezvousConfig(context),
                context.strategy(),
                machine.state().toRecord(context.settings(), control.port()),
                new RunFounder(context.incarnation(), context.random()),
                driver);
        rendezvous.startedAt(context.start().nanos());
        if (context.config().store().once()) {
            rendezvous.startsOnce();
        }
        rendezvous.dialNewcomersBy(control::dialWorker);
        rendezvous.recordDecisionsBy(journal::record);
        connection = new Connection(store, control, driver, rendezvous);
        commands.join(rendezvous);
        if (!machine.state().isEnding()) {
            rendezvous.start();
        }
    }

    private void placeKey(RunIdentity identity, Runnable placed) {
        keyFiles.write(
                identity.runKey(),
                () -> loop.execute(placed),
                reason -> machine.apply(new AgentEvent.Aborted(ExitCode.USAGE.code(), reason)));
    }

    /** Whether the run encrypts, if this agent ended because it would have done the opposite. */
    Optional<Boolean> adopted() {
        return encryption.adopted();
    }

    /** Publishes what the node is in this state. */
    void publish(AgentState state) {
        copyTerms = new CopyTerms(
                copyRules.keepers(state.round()), state.checkpoints().newest().since());
        Connection open = connection;
        if (open != null) {
            open.rendezvous()
                    .update(state.toRecord(context.settings(), open.control().port()));
            if (state.workingRound() > 0 && !rehearsing) {
                rehearsing = true;
                loop.schedule(REHEARSAL_DELAY, this::rehearseLoss);
            }
        }
        commands.onState();
    }

    /** Empty until the store is open. */
    Optional<Rendezvous> joined() {
        return Optional.ofNullable(connection).map(Connection::rendezvous);
    }

    /** A checkpoint was completed, or all were lost: the run remembers it. */
    void checkpointed(RunVersion newest) {
        Connection open = connection;
        if (open != null) {
            open.rendezvous().checkpointed(newest);
        }
    }

    @Nullable
    Verdict verdict() {
        Connection open = connection;
        return open == null ? null : open.driver().verdict();
    }

    RoundHistory history() {
        return history;
    }

    /** Sends goodbye; the agent that serves the store waits for the other nodes. The future completes in the loop. */
    CompletableFuture<Void> leave(String reason) {
        Connection open = connection;
        if (open == null) {
            return CompletableFuture.completedFuture(null);
        }
        commands.onLeaving();
        open.control().sendGoodbye(reason);
        serving = open.store().isServedHere();
        return open.rendezvous().leave(serving);
    }

    /** What of its run the agent knows besides its state. */
    WaitView.Surroundings surroundings() {
        String coordinator = coordination.coordinator();
        return new WaitView.Surroundings(
                coordinator, coordinator.equals(context.nodeId()), coordination.waitingQuietlyFor(), serving);
    }

    /** Called outside the loop, which has ended. */
    void close() {
        keyFiles.close();
        Connection open = connection;
        if (open != null) {
            open.control().close();
            open.store().close();
        }
    }

    private void record(RunEvent event) {
        journal.record(event, machine.state().round());
    }

    private void onRefused(Refusals.Refusal refusal) {
        RunEvent event = new RunEvent.ControlRefused(refusal.method(), refusal.from(), refusal.why(), refusal.count());
        loop.execute(() -> record(event));
    }

    /** Every server of this agent reports refused callers here; any thread. */
    Refusals refusals() {
        return refusals;
    }

    @Override
    public Optional<Path> logs() {
        return Optional.of(context.files().directory());
    }

    @Override
    public Optional<CheckpointFiles> checkpoints() {
        return Optional.of(checkpoints);
    }

    @Override
    public CopyTerms copyTerms() {
        return copyTerms;
    }

    @Override
    public Optional<CommandDesk> desk() {
        return Optional.of(commands);
    }

    @Override
    public CompletableFuture<RunDescription> describe() {
        Connection open = connection;
        return open == null ? notJoined() : open.rendezvous().describe();
    }

    private static <T> CompletableFuture<T> notJoined() {
        return CompletableFuture.failedFuture(new IllegalStateException("the run is not joined yet"));
    }

    /** What the whole run does at this moment; callable by any thread, and reads small files on it. */
    CompletableFuture<RunStatus> run() {
        Connection open = connection;
        return open == null ? notJoined() : open.control().run();
    }

    /** As {@link ControlPlane#events}; callable by any thread. */
    CompletableFuture<List<EventPart>> events(
            Collection<Neighbour> nodes, Map<String, Long> known, Optional<Set<String>> exceptGone) {
        Connection open = connection;
        return open == null
                ? CompletableFuture.completedFuture(List.of())
                : open.control().events(nodes, known, exceptGone);
    }

    /** As {@link ControlPlane#curves}; callable by any thread. */
    CompletableFuture<Map<String, NodeCurves>> curves(Collection<Neighbour> nodes) {
        Connection open = connection;
        return open == null
                ? CompletableFuture.completedFuture(Map.of())
                : open.control().curves(nodes);
    }

    @Override
    public NodeCurves curves() {
        return web.curves();
    }

    @Override
    public CompletableFuture<NodeReply> nodeStatus() {
        Map<WorkerGauges.Key, WorkerStatus> gauges = groups.gauges().read();
        CompletableFuture<NodeReply> answer = new CompletableFuture<>();
        loop.execute(() -> answer.complete(status(gauges)));
        return answer;
    }

    /** The status of this node, with what was read of its workers; in the loop. */
    NodeReply status(Map<WorkerGauges.Key, WorkerStatus> gauges) {
        return LiveStatus.of(
                context.nodeId(),
                machine.state(),
                gauges,
                coordination.waitingFor(),
                coordination.keptOut(),
                coordination.roundAgeMillis());
    }

    @Override
    public void receive(String sender, byte[] record) {
        Connection open = connection;
        if (open != null && !machine.stopped()) {
            open.rendezvous().receive(sender, record);
        }
    }

    @Override
    public void proveDead(NodeLife dead, String evidence) {
        Connection open = connection;
        if (open != null && !machine.stopped()) {
            record(new RunEvent.NodeProvedDead(dead.nodeId(), evidence));
            open.rendezvous().proveDead(dead.nodeId(), dead.createRevision(), dead.leaseId(), evidence);
        }
    }
}
