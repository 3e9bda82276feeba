/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.observe.AgentJournal;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.store.LeaseDoubt;
import dev.elasticrun.agent.worker.WorkerChannels;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the effects of rendezvous events that the rules do not decide: to the heads of the workers' channels, the
 * event log, the page, and the log. Owned by the loop.
 */
final class RendezvousEffects implements Consumer<RendezvousEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(RendezvousEffects.class);

    private final AgentContext context;
    private final AgentMachine machine;
    private final AgentJournal journal;
    private final WorkerChannels channels;
    private final AgentWeb web;
    private final RoundHistory history;
    private final LeaseDoubt leaseDoubt;
    private final Consumer<RunIdentity> announce;

    /**
     * @param leaseDoubt whether workers stop by themselves when the lease is not renewed: where there are no other nodes they
     *     do not
     * @param announce called once, when the run is joined
     */
    RendezvousEffects(
            AgentContext context,
            AgentMachine machine,
            AgentJournal journal,
            WorkerChannels channels,
            AgentWeb web,
            RoundHistory history,
            LeaseDoubt leaseDoubt,
            Consumer<RunIdentity> announce) {
        this.context = context;
        this.machine = machine;
        this.journal = journal;
        this.channels = channels;
        this.web = web;
        this.history = history;
        this.leaseDoubt = leaseDoubt;
        this.announce = announce;
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.LeaseDeadline deadline) {
            if (leaseDoubt != LeaseDoubt.NO_OTHERS) {
                channels.leaseDeadline(deadline.nanos());
            }
            web.observer().onLeaseDeadline(deadline.nanos());
        } else if (event instanceof RendezvousEvent.RoundChanged changed) {
            onRound(changed.round());
        } else if (event instanceof RendezvousEvent.Joined joined) {
            onJoined(joined.identity());
        } else if (event instanceof RendezvousEvent.StoreTrouble trouble) {
            LOG.warn("{}", trouble.trouble());
            record(new RunEvent.StoreTrouble(trouble.trouble()));
        } else if (event instanceof RendezvousEvent.StoreWell well) {
            LOG.info("the store works again; before: {}", well.trouble());
            record(new RunEvent.StoreWell(well.trouble()));
        }
    }

    private void onRound(Round round) {
        channels.sealedRound(round);
        history.onRound(round);
        web.observer().onRound(round);
    }

    private void onJoined(RunIdentity identity) {
        journal.joined(identity.incarnation());
        web.joined(identity.runKey());
        if (machine.state().identity() == null) {
            record(new RunEvent.RunJoined(
                    context.settings().node().hostLabel(),
                    ProcessHandle.current().pid(),
                    context.settings().slots(),
                    new RunEvent.Policy(
                            context.strategy().name(), !context.strategy().workersOutliveRounds()),
                    new RunEvent.Limits(
                            context.config().size().minNodes(),
                            context.config().size().maxNodes(),
                            identity.maxRestarts(),
                            identity.restarts().window().toMillis(),
                            identity.restarts().refund().toMillis())));
            announce.accept(identity);
        }
    }

    private void record(RunEvent event) {
        journal.record(event, machine.state().round());
    }
}
