/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.observe.AgentJournal;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.store.KeptOutNodes;
import dev.elasticrun.proto.KeptOut;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Records, logs and keeps for queries which node coordinates the run, and what this agent does and finds while it is
 * the coordinator. Owned by the loop.
 */
final class CoordinationNews implements Consumer<RendezvousEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinationNews.class);
    private final String nodeId;
    private final EventLoop loop;
    private final AgentMachine machine;
    private final AgentJournal journal;
    private final KeptOutNodes keptOut = new KeptOutNodes();
    private String coordinator = "";
    private String waitingFor = "";
    private boolean noticed;
    private long roundNanos;
    private @Nullable Round round;

    CoordinationNews(String nodeId, EventLoop loop, AgentMachine machine, AgentJournal journal) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.machine = machine;
        this.journal = journal;
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.CoordinatorChanged changed) {
            onCoordinator(changed.coordinator());
        } else if (event instanceof RendezvousEvent.Elected) {
            coordinator = nodeId;
            record(new RunEvent.CoordinatorElected());
        } else if (event instanceof RendezvousEvent.Waiting waiting) {
            onWaiting(waiting);
        } else if (event instanceof RendezvousEvent.NodesKeptOut held) {
            keptOut.set(held.nodes(), loop.nowNanos(), this::record);
        } else if (event instanceof RendezvousEvent.RoundChanged changed) {
            onRound(changed.round());
        } else if (event instanceof RendezvousEvent.RoundDecided decided) {
            journal.decided(decided.round());
        } else if (event instanceof RendezvousEvent.RoundPublished published) {
            journal.published(published.round());
        } else if (event instanceof RendezvousEvent.RestartsReturned returned) {
            onReturned(returned);
        }
    }

    // The same round may be written again.
    private void onRound(Round newest) {
        if (roundNanos == 0 || !newest.amends(round)) {
            roundNanos = loop.nowNanos();
        }
        round = newest;
    }

    private void onReturned(RendezvousEvent.RestartsReturned returned) {
        int used = returned.round().budgetUsed();
        LOG.info(
                "{} came back by progress: restarts {}/{}{}",
                returned.count() == 1 ? "1 restart" : returned.count() + " restarts",
                used,
                returned.budget().max(),
                returned.budget().within());
        record(new RunEvent.RestartsReturned(
                returned.count(), used, returned.budget().max()));
    }

    private void onCoordinator(NodeRecord other) {
        LOG.debug("the coordinator is {}", other.nodeId());
        waitingFor = "";
        keptOut.clear();
        coordinator = other.nodeId();
        record(new RunEvent.CoordinatorChanged(coordinator));
    }

    private void onWaiting(RendezvousEvent.Waiting waiting) {
        waitingFor = waiting.reason();
        noticed = waiting.notice();
        if (isWaiting()) {
            record(new RunEvent.RunWaiting(waitingFor));
        }
        // Other waits are on the console if they are long, and an incident has lines of its own.
        LOG.atLevel(noticed ? Level.INFO : Level.DEBUG).log("{}", waitingFor);
    }

    // While workers work, the coordinator's reason is about the next round.
    private boolean isWaiting() {
        Round round = machine.state().round();
        return round == null || round.suspended();
    }

    private void record(RunEvent event) {
        journal.record(event, machine.state().round());
    }

    /** Its node id; empty = not known. */
    String coordinator() {
        return coordinator;
    }

    /** What the run waits for, as far as this agent decides about it; empty = nothing. */
    String waitingFor() {
        return isWaiting() ? waitingFor : "";
    }

    /** The same, unless it is on the console already. */
    String waitingQuietlyFor() {
        return noticed ? "" : waitingFor();
    }

    List<KeptOut> keptOut() {
        return keptOut.at(loop.nowNanos());
    }

    /** How long this agent has known the newest round; -1 = there is none. */
    long roundAgeMillis() {
        return roundNanos == 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(loop.nowNanos() - roundNanos);
    }
}
