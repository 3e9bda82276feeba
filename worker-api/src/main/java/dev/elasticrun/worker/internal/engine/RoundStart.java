/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.StateLostException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.NodeFiles;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.transfer.CheckpointRestore;
import dev.elasticrun.worker.internal.checkpoint.transfer.DurableStart;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.net.PeerMesh;
import dev.elasticrun.worker.internal.replay.OperationLog;
import dev.elasticrun.worker.internal.replay.ReplayAgreement;
import dev.elasticrun.worker.internal.replay.ReplayTransfer;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * From an open round to one in which all ranks stand at the same operation with the same checkpoint and bootstrap
 * results. Every rank does the same steps; a link that breaks ends them, and the next round begins with what was reached.
 */
final class RoundStart {
    private static final System.Logger LOGGER = System.getLogger(RoundStart.class.getName());

    private final CarriedState carriedState;
    private final NodeFiles files;
    private final Exchanges exchanges;
    private final RoundControl control;

    RoundStart(CarriedState carriedState, NodeFiles files, Exchanges exchanges, RoundControl control) {
        this.carriedState = carriedState;
        this.files = files;
        this.exchanges = exchanges;
        this.control = control;
    }

    ActiveRound run(RoundSession round, PeerTable table) throws BrokenLinkException {
        WorkerInfo info = Objects.requireNonNull(round.work().workerInfo());
        PeerMesh mesh = round.mesh();
        mesh.form();
        List<PeerState> peerStates = mesh.statements().stream()
                .map(statement -> PeerState.decode(statement, round.work().incarnation()))
                .toList();
        new BootstrapUnion(mesh, carriedState.bootstrap())
                .run(peerStates.stream().map(PeerState::bootstrap).toList());
        Optional<Checkpoint> agreed = agree(round.work(), info, mesh, peerStates);
        long version = agreed.map(found -> found.id().version()).orElse(0L);
        ReplayAgreement replay = ReplayAgreement.of(
                peerStates.stream().map(PeerState::progress).toList(),
                peerStates.stream()
                        .map(each -> agreed.isEmpty()
                                || each.inventory().holds(agreed.get().id()))
                        .toList(),
                info.world(),
                version);
        OperationLog history = carriedState.history();
        history.start(replay, info, version);
        new ReplayTransfer(mesh, history).run(replay);
        agreed.ifPresent(found -> files.keep(found, info.localRank(), carriedState.checkpointStore()));
        Exchange exchange = exchanges.open(mesh, table);
        // No rank stages the next checkpoint before all have begun from this one: a rank that did would be the only
        // survivor when the round breaks now, and what it alone has would be agreed on.
        exchange.barrier(new Operation()
                .set(Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0)
                .at(version, -1)
                // A rank whose loops have all ended may end its process as soon as it is through.
                .parting(true));
        // Last: a start that breaks must not let a program continue that was to begin again.
        history.resume();
        return new ActiveRound(round, info, exchange, replay.goesOn().get(info.rank()), agreed.map(Checkpoint::id));
    }

    private Optional<Checkpoint> agree(WorkerEvent work, WorkerInfo info, PeerMesh mesh, List<PeerState> peerStates)
            throws BrokenLinkException {
        CheckpointStore checkpointStore = carriedState.checkpointStore();
        CheckpointRestore.Result exchanged = new CheckpointRestore(
                        mesh, checkpointStore, info.world(), files.options().redundancy())
                .run(peerStates.stream().map(PeerState::inventory).toList());
        Optional<Checkpoint> agreed = exchanged.start();
        if (info.localRank() == 0) {
            reportLocalsLost(work, agreed, exchanged.lostLocals());
        }
        boolean hasSurvivors =
                peerStates.stream().anyMatch(each -> each.inventory().startedRound() > 0);
        // The survivors held the checkpoint, but can give it to no rank.
        long held = heldVersion(peerStates);
        boolean isNew = !hasSurvivors || held > 0;
        long unreadable = 0;
        if (agreed.isEmpty() && isNew && peerStates.get(0).inventory().hasDurable()) {
            DurableStart.Result found =
                    new DurableStart(mesh, checkpointStore, files.durable(), work.incarnation(), info.world()).run();
            agreed = found.start();
            reportLocalsLost(work, agreed, found.lostLocals());
            unreadable = found.unreadable();
        }
        long version = agreed.map(found -> found.id().version()).orElse(0L);
        if (agreed.isEmpty()) {
            long completed = hasSurvivors ? held : work.highestVersion();
            if (isNew && (completed > 0 || unreadable > 0)) {
                onStateLoss(work, info, completed, unreadable);
            }
            // Only now: a rank that has started in a round is a survivor in the next, which then searches no durable
            // copies.
            checkpointStore.startFrom(work.round(), Optional.empty(), List.of());
        } else if (work.highestVersion() > version) {
            LOGGER.log(
                    Level.WARNING,
                    "round " + work.round() + " goes back to version " + version
                            + ": no worker of the round has version " + work.highestVersion()
                            + ", which had been completed");
        }
        if (files.options().endsOnStateLoss() && !checkpointStore.lostLocals().isEmpty()) {
            throw new StateLostException(localsLost(version, checkpointStore.lostLocals()));
        }
        return agreed;
    }

    /** The newest version that a survivor held committed, whether it can give it to others or not; 0 = none did. */
    private static long heldVersion(List<PeerState> peerStates) {
        long newestRound = peerStates.stream()
                .mapToLong(each -> each.inventory().startedRound())
                .max()
                .orElse(0);
        return peerStates.stream()
                .map(PeerState::inventory)
                .filter(each -> newestRound > 0 && each.startedRound() == newestRound)
                .flatMap(each -> each.copies().stream())
                .filter(copy -> copy.state() != CheckpointInventory.State.STAGED)
                .mapToLong(copy -> copy.id().version())
                .max()
                .orElse(0);
    }

    private void reportLocalsLost(WorkerEvent work, Optional<Checkpoint> start, List<Integer> lost) {
        if (!lost.isEmpty()) {
            long version = start.orElseThrow().id().version();
            control.report(new UpMessage.LocalStateLost(work.round(), version, lost));
            LOGGER.log(Level.ERROR, localsLost(version, lost));
        }
    }

    private static String localsLost(long version, List<Integer> lost) {
        return "LOCAL_STATE_LOST: no worker has the local states of ranks " + lost + " of version " + version;
    }

    // Called once for a loss: later rounds have survivors, which have recorded it. The agent names the former holders,
    // and ends the run if it must.
    private void onStateLoss(WorkerEvent work, WorkerInfo info, long completed, long unreadable) {
        String what = completed > 0
                ? " had been completed, and no worker of round " + work.round() + " has any checkpoint"
                : " is in the directory of durable copies, and no copy there can be read";
        long version = completed > 0 ? completed : unreadable;
        String message = "STATE_LOST: version " + version + what + " (" + work.cause() + ")";
        if (info.localRank() == 0) {
            control.report(new UpMessage.StateLost(work.round(), version));
        }
        if (files.options().endsOnStateLoss()) {
            throw new StateLostException(message);
        }
        LOGGER.log(Level.ERROR, message + ": the run starts again from version 0, with no bootstrap results");
        carriedState.bootstrap().clear();
    }
}
