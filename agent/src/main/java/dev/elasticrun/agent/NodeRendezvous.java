/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.ControlPlane;
import dev.elasticrun.agent.control.Neighbour;
import dev.elasticrun.agent.control.NodeLife;
import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.control.RunStatus;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.agent.process.RunDirectory;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.CommandResult;
import dev.elasticrun.rendezvous.KeptOut;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RendezvousConfig;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.RunVersion;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The agent's side of the rendezvous: opens the store, does at the edges what rendezvous tells, and answers the control
 * plane. Owned by the loop, but for {@link #open}, {@link #run}, {@link #nodeStatus} and {@link #close}.
 */
final class NodeRendezvous implements RendezvousAdapter.Edges, ControlPeer {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRendezvous.class);
    /** How the cause of a round begins that answers a failure. */
    private static final String FAILED = "worker failed on ";

    private final AgentContext context;
    private final EventLoop loop;
    private final RunDirectory runDirectory;
    private final WorkerGroups groups;
    private final AgentJournal journal;
    private final AgentMachine machine;
    private final AgentWeb web;
    private final RendezvousAdapter adapter;
    private final RoundHistory history;
    private final Optional<RunTls> tls;
    private final KeyFiles keyFiles;
    private final Refusals refusals = new Refusals(System::nanoTime, this::onRefused);
    private final RunCommands commands;
    private volatile @Nullable Connection connection;
    private volatile @Nullable Boolean adopted;
    private String waitingFor = "";
    private final KeptOutNodes keptOut = new KeptOutNodes();
    private String coordinator = "";
    private boolean serving;
    private boolean unreachable;
    private long roundNanos;

    NodeRendezvous(
            AgentContext context,
            EventLoop loop,
            RunDirectory runDirectory,
            WorkerGroups groups,
            AgentJournal journal,
            AgentMachine machine,
            AgentWeb web) {
        this.context = context;
        this.loop = loop;
        this.runDirectory = runDirectory;
        this.groups = groups;
        this.journal = journal;
        this.machine = machine;
        this.web = web;
        this.adapter = new RendezvousAdapter(machine, context.settings(), this);
        this.history = new RoundHistory(context.nodeId());
        this.tls = context.tls();
        this.keyFiles = new KeyFiles(loop, runDirectory, tls, groups::makeRoom);
        this.commands = new RunCommands(
                context.nodeId(),
                loop,
                machine::state,
                web.observer(),
                new WorkerDumps(context.nodeId(), context.files(), tls),
                this::record);
    }

    /** What is there once the store is open. */
    private record Connection(StoreOpener.Opened store, ControlPlane control, Rendezvous rendezvous) {}

    /** Opens the store and begins to join the run. Blocks; called by a thread of its own. */
    void open() {
        tls.ifPresent(NodeRendezvous::rehearse);
        try {
            StoreOpener.Opened store = StoreOpener.open(
                    context.config(), context.place(), context.runId(), tls, refusals, context.random());
            if (store.server() != null) {
                writeStoreFile(store.endpoints());
            }
            ControlPlane control = ControlPlane.start(context.nodeId(), loop, this, context.place(), tls, refusals);
            loop.execute(() -> join(store, control));
        } catch (OtherEncryptionException e) {
            if (!onOtherEncryption(e.encrypted() ? RunTls.GENERATED : RunTls.OFF)) {
                machine.post(new AgentEvent.Aborted(ExitCode.USAGE.code(), String.valueOf(e.getMessage())));
            }
        } catch (LaunchConfigException e) {
            machine.post(new AgentEvent.Aborted(ExitCode.USAGE.code(), String.valueOf(e.getMessage())));
        } catch (UncheckedIOException e) {
            Throwable cause = e.getCause();
            String why = e.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
            machine.post(new AgentEvent.Aborted(ExitCode.USAGE.code(), why));
        } catch (StoreOpener.StoreUnreachableException e) {
            machine.post(new AgentEvent.Aborted(ExitCode.STORE_LOST.code(), String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            machine.post(new AgentEvent.Aborted(ExitCode.WORKER_FAILURE.code(), e.toString()));
        }
    }

    private static void rehearse(RunTls tls) {
        Thread thread = new Thread(tls::rehearse, "tls-warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    private void warn(StoreOpener.Opened store) {
        boolean isPlainEtcd = context.config().store().isEtcd()
                && TlsChecks.etcdFiles(context.config().tls()).isEmpty();
        if (tls.isPresent() && isPlainEtcd) {
            LOG.warn(
                    "run={} encrypts what its nodes say to each other, but {} is talked to in plain text{}",
                    context.runId(),
                    store.name(),
                    store.runKey() == null
                            ? " and holds the minted run key in clear: who reads it can join (expected: --etcd-ca, or"
                                    + " --run-key-file on all nodes)"
                            : " (expected: --etcd-ca)");
        } else if (tls.isEmpty() && context.place().isExposed()) {
            LOG.warn(
                    "run={} does not encrypt what its nodes say to each other (--insecure), and other hosts can reach this"
                            + " one at {}",
                    context.runId(),
                    context.settings().address());
        }
    }

    private void join(StoreOpener.Opened store, ControlPlane control) {
        warn(store);
        if (store.server() != null) {
            String endpoint = store.server().endpoint();
            LOG.info(
                    "run={} store={} for more agents on this host: --rdzv-backend embedded --rdzv-endpoint {} --run-id {}",
                    context.runId(),
                    endpoint,
                    endpoint,
                    context.runId());
        }
        NodeRecord record = machine.state().toRecord(context.settings(), control.port());
        Rendezvous rendezvous = new Rendezvous(
                store.store(),
                loop,
                rendezvousConfig(store),
                context.strategy(),
                record,
                context.incarnation(),
                context.random(),
                adapter);
        rendezvous.startedAt(context.startedNanos());
        rendezvous.dialNewcomersBy(control::dialWorker);
        connection = new Connection(store, control, rendezvous);
        commands.join(rendezvous);
        adapter.join(rendezvous, record);
    }

    private RendezvousConfig rendezvousConfig(StoreOpener.Opened store) {
        LaunchConfig config = context.config();
        return new RendezvousConfig(
                context.runId(),
                store.name(),
                config.size().minNodes(),
                config.size().maxNodes(),
                context.strategy().name(),
                config.workers().runtime(),
                tls.map(RunTls::agreement).orElse(RunTls.OFF),
                config.restarts().maxRestarts(),
                config.times().leaseTtl(),
                config.times().heartbeat(),
                config.times().joinTimeout(),
                config.times().lastCallTimeout(),
                config.times().scaleUpDelay(),
                config.times().replacementWait(),
                config.times().rejoinBackOff(),
                config.times().excludeCoolDown(),
                config.times().firstContactTimeout(),
                config.times().storeTimeout(),
                store.runKey(),
                store.keyInStore());
    }

    void publish(AgentState state) {
        adapter.publish(state);
        commands.onState();
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
        return adapter.verdict();
    }

    RoundHistory history() {
        return history;
    }

    /** Says goodbye; whoever serves the store waits for the others. The future completes in the loop. */
    CompletableFuture<Void> leave(String reason) {
        Connection open = connection;
        if (open == null) {
            return CompletableFuture.completedFuture(null);
        }
        commands.onLeaving();
        open.control().sayGoodbye(reason);
        serving = open.store().server() != null;
        return open.rendezvous().leave(serving);
    }

    /** What of its run the agent knows besides its state. */
    WaitView.Surroundings surroundings() {
        return new WaitView.Surroundings(coordinator, coordinator.equals(context.nodeId()), serving);
    }

    /** Called outside the loop, which has ended. */
    void close() {
        keyFiles.close();
        Connection open = connection;
        if (open != null) {
            open.control().close();
            open.store().store().close();
            if (open.store().server() != null) {
                open.store().server().close();
            }
        }
    }

    private void record(RunEvent event) {
        journal.record(event, machine.state().round());
    }

    private NodeLife life(Connection open) {
        Rendezvous rendezvous = open.rendezvous();
        return new NodeLife(
                context.nodeId(),
                context.settings().address(),
                open.control().port(),
                rendezvous.createRevision(),
                rendezvous.leaseId(),
                rendezvous.revokedBefore());
    }

    private void recordJoined(RunIdentity identity) {
        record(new RunEvent.RunJoined(
                context.settings().hostLabel(),
                ProcessHandle.current().pid(),
                context.settings().slots(),
                new RunEvent.Policy(
                        context.strategy().name(), !context.strategy().workersOutliveRounds()),
                new RunEvent.Limits(
                        context.config().size().minNodes(),
                        context.config().size().maxNodes(),
                        identity.maxRestarts())));
    }

    /** Agents that find the store here before its run is joined wait the longer for it. */
    private void writeStoreFile(List<String> endpoints) {
        RunFile file =
                new RunFile(context.runId(), context.incarnation(), context.nodeId(), endpoints, "", "", "", null);
        try {
            runDirectory.writeStoreFile(file.encode());
        } catch (IOException e) {
            LOG.warn("cannot write serving.json, other agents of this host will not wait long for this one", e);
        }
    }

    private void writeRunFile(RunIdentity identity, Connection open) {
        String control =
                new Endpoint(context.settings().address(), open.control().port()).text();
        Thread writer = new Thread(
                () -> {
                    AgentWeb.Addresses served = web.addresses();
                    RunFile file = new RunFile(
                            context.runId(),
                            identity.incarnation(),
                            context.nodeId(),
                            open.store().endpoints(),
                            control,
                            served.dashboard(),
                            served.metrics(),
                            tls.isPresent() ? runDirectory.tls() : null);
                    try {
                        runDirectory.writeRunFile(file.encode());
                    } catch (IOException e) {
                        LOG.warn("cannot write run.json, commands will not find this agent", e);
                    }
                },
                "run-file");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public Optional<Path> logs() {
        return Optional.of(context.files().directory());
    }

    private void onRefused(Refusals.Refusal refusal) {
        RunEvent event = new RunEvent.ControlRefused(refusal.method(), refusal.from(), refusal.why(), refusal.count());
        loop.execute(() -> record(event));
    }

    /** Whoever serves something is to tell of strangers here; any thread. */
    Refusals refusals() {
        return refusals;
    }

    @Override
    public Optional<CommandDesk> desk() {
        return Optional.of(commands);
    }

    /** Certificates of the user cannot be adopted: they are not there. */
    @Override
    public boolean onOtherEncryption(String other) {
        boolean encrypted = other.equals(RunTls.GENERATED);
        if (!context.adoptsEncryption() || !(encrypted || other.equals(RunTls.OFF))) {
            return false;
        }
        adopted = encrypted;
        String reason = "starting over " + (encrypted ? "with" : "without") + " encryption, as run " + context.runId();
        machine.post(new AgentEvent.Aborted(ExitCode.USAGE.code(), reason));
        return true;
    }

    /** Whether the run encrypts, if this agent ended because it would have done the opposite. */
    Optional<Boolean> adopted() {
        return Optional.ofNullable(adopted);
    }

    @Override
    public void onSettled(CommandResult command) {
        commands.onSettled(command);
    }

    @Override
    public void onVerdict(Verdict verdict) {
        commands.onVerdict(verdict);
    }

    @Override
    public CompletableFuture<RunDescription> describe() {
        Connection open = connection;
        return open == null
                ? CompletableFuture.failedFuture(new IllegalStateException("the run is not joined yet"))
                : open.rendezvous().describe();
    }

    /** What the whole run does at this moment; callable by any thread, and reads small files on it. */
    CompletableFuture<RunStatus> run() {
        Connection open = connection;
        return open == null
                ? CompletableFuture.failedFuture(new IllegalStateException("the run is not joined yet"))
                : open.control().run();
    }

    /** As {@link ControlPlane#events}; callable by any thread. */
    CompletableFuture<List<EventPart>> events(
            Collection<Neighbour> nodes, Map<String, Long> known, Optional<Set<String>> exceptGone) {
        Connection open = connection;
        return open == null
                ? CompletableFuture.completedFuture(List.of())
                : open.control().events(nodes, known, exceptGone);
    }

    @Override
    public CompletableFuture<NodeReply> nodeStatus() {
        Map<WorkerGauges.Key, WorkerStatus> gauges = groups.gauges().read();
        CompletableFuture<NodeReply> told = new CompletableFuture<>();
        loop.execute(() -> told.complete(LiveStatus.of(
                context.nodeId(),
                machine.state(),
                gauges,
                isWaiting() ? waitingFor : "",
                keptOut.at(loop.nowNanos()),
                roundNanos == 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(loop.nowNanos() - roundNanos))));
        return told;
    }

    /** What the coordinator says while workers work is about what comes next. */
    private boolean isWaiting() {
        Round round = machine.state().round();
        return round == null || round.suspended();
    }

    @Override
    public void proveDead(NodeLife dead, String evidence) {
        Connection open = connection;
        if (open != null && !machine.stopped()) {
            record(new RunEvent.NodeProvedDead(dead.nodeId(), evidence));
            adapter.proveDead(dead.nodeId(), dead.createRevision(), dead.leaseId(), evidence);
        }
    }

    @Override
    public void prepare(RunIdentity identity, Runnable made) {
        keyFiles.write(
                identity.runKey(),
                () -> loop.execute(made),
                reason -> machine.apply(new AgentEvent.Aborted(ExitCode.USAGE.code(), reason)));
    }

    @Override
    public void onJoined(RunIdentity identity, boolean first) {
        journal.joined(identity.incarnation());
        Connection open = connection;
        if (open != null) {
            open.control().joined(identity, life(open));
            web.joined(identity.runKey());
            if (first) {
                recordJoined(identity);
                writeRunFile(identity, open);
            }
        }
    }

    @Override
    public void onLeaseDeadline(long deadlineNanos) {
        groups.leaseDeadline(deadlineNanos);
        web.observer().onLeaseDeadline(deadlineNanos);
    }

    @Override
    public void onRecordChanged(byte[] record) {
        Connection open = connection;
        if (open != null) {
            open.control().tellCoordinator(record);
        }
    }

    @Override
    public void hear(String nodeId, byte[] record) {
        Connection open = connection;
        if (open != null && !machine.stopped()) {
            open.rendezvous().hear(nodeId, record);
        }
    }

    @Override
    public void onCoordinator(NodeRecord coordinator) {
        LOG.info("node={} the coordinator is {}", context.nodeId(), coordinator.nodeId());
        warnUnreachable(coordinator.nodeId(), coordinator.address());
        waitingFor = "";
        keptOut.clear();
        this.coordinator = coordinator.nodeId();
        record(new RunEvent.CoordinatorChanged(coordinator.nodeId()));
        Connection open = connection;
        if (open != null) {
            open.control()
                    .coordinator(new Neighbour(coordinator.nodeId(), coordinator.address(), coordinator.controlPort()));
        }
    }

    /** Once: an etcd at a loopback address makes this node give such an address to others. */
    private void warnUnreachable(String otherNode, String other) {
        Optional<String> wrong = ListenPlaces.unreachable(context.settings().address(), otherNode, other);
        if (wrong.isPresent() && !unreachable) {
            unreachable = true;
            LOG.warn("node={} {}", context.nodeId(), wrong.get());
            record(new RunEvent.NodeUnreachable(wrong.get()));
        }
    }

    @Override
    public void onRound(Round round) {
        roundNanos = loop.nowNanos();
        round.participants().forEach(member -> warnUnreachable(member.nodeId(), member.address()));
        groups.sealedRound(round);
        history.onRound(round);
        web.observer().onRound(round);
        Connection open = connection;
        if (open != null) {
            // Behind what the round makes of the workers.
            loop.execute(() -> open.control().ring(round.participants()));
        }
    }

    @Override
    public void onElected() {
        coordinator = context.nodeId();
        record(new RunEvent.CoordinatorElected());
        Connection open = connection;
        if (open != null) {
            open.control().coordinator(null);
        }
    }

    @Override
    public boolean servesStore() {
        Connection open = connection;
        return open != null && open.store().server() != null;
    }

    @Override
    public void onStoreTrouble(String trouble) {
        LOG.warn("node={} {}", context.nodeId(), trouble);
        record(new RunEvent.StoreTrouble(trouble));
    }

    @Override
    public void onStoreWell(String trouble) {
        LOG.info("node={} the store works again; before: {}", context.nodeId(), trouble);
        record(new RunEvent.StoreWell(trouble));
    }

    @Override
    public void onWaiting(String reason) {
        waitingFor = reason;
        if (isWaiting()) {
            record(new RunEvent.RunWaiting(reason));
        }
        // The failure itself is on the console of its node, and its cost on those of all members.
        boolean isDetail = machine.state().acknowledged() > 0 && reason.startsWith(FAILED);
        LOG.atLevel(isDetail ? Level.DEBUG : Level.INFO).log("node={} coordinator: {}", context.nodeId(), reason);
    }

    @Override
    public void onKeptOut(List<KeptOut> nodes) {
        keptOut.set(nodes, loop.nowNanos(), this::record);
    }

    @Override
    public void onDecided(Round decided) {
        journal.decided(decided);
    }

    @Override
    public void onPublished(Round round) {
        journal.published(round);
    }
}
