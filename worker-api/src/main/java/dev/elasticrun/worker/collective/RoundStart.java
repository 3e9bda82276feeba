/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * From an open round to one in which all ranks stand at the same operation with the same checkpoint and bootstrap
 * results. Every rank does the same steps; a link that breaks ends them, and the next round begins with what was reached.
 */
final class RoundStart {
    private static final System.Logger LOGGER = System.getLogger(DataPlane.class.getName());

    private final Belongings belongings;
    private final NodeFiles files;
    private final Exchanges exchanges;

    RoundStart(Belongings belongings, NodeFiles files, Exchanges exchanges) {
        this.belongings = belongings;
        this.files = files;
        this.exchanges = exchanges;
    }

    Footing run(OpenRound round, PeerTable table) throws BrokenLinkException {
        WorkerInfo info = Objects.requireNonNull(round.work().workerInfo());
        PeerMesh mesh = round.mesh();
        mesh.form();
        List<Statement> statements = mesh.statements();
        new BootstrapUnion(mesh, belongings.bootstrap()).run();
        Optional<Checkpoint> agreed = new FirstExchange(
                        mesh, belongings.shelf(), info.world(), files.options().localReplicas())
                .run();
        long version = agreed.map(found -> found.id().version()).orElse(0L);
        ReplayAgreement replay = ReplayAgreement.of(
                statements.stream().map(Statement::progress).toList(),
                statements.stream()
                        .map(each -> agreed.isEmpty()
                                || each.holdings().holds(agreed.get().id()))
                        .toList(),
                info.world(),
                version);
        History history = belongings.history();
        history.start(replay, info, version);
        new ReplayTransfer(mesh, history).run(replay);
        warnIfStateWasLost(round.work(), version);
        agreed.ifPresent(
                found -> files.keep(found, info.localRank(), belongings.shelf().pool()));
        Exchange exchange = exchanges.open(mesh, table);
        // Nobody stages the next checkpoint before all have begun from this one: a rank that did would be the only
        // survivor when the round breaks now, and what it alone has would be agreed on.
        exchange.barrier(new Operation()
                .set(Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0)
                .at(version, -1));
        // Last: a start that breaks must not make a program go on that was to begin again.
        history.resume();
        return new Footing(round, info, exchange, replay.goesOn().get(info.rank()), version);
    }

    private static void warnIfStateWasLost(WorkerEvent work, long version) {
        if (work.highestVersion() > version) {
            LOGGER.log(
                    Level.ERROR,
                    "STATE_LOST: round " + work.round() + " goes on from version " + version + ", but version "
                            + work.highestVersion() + " had been completed and no worker of the round has it");
        }
    }
}
