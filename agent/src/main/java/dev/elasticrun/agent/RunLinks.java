/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.control.ControlPlane;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.ListenPlaces;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates the connections to other agents on rendezvous events, and sends this node's records to the coordinator. Owned
 * by the loop.
 */
final class RunLinks implements Consumer<RendezvousEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(RunLinks.class);

    private final AgentSettings settings;
    private final EventLoop loop;
    private final ControlPlane control;
    private final Consumer<RunEvent> record;
    private boolean unreachable;

    /** @param record takes events */
    RunLinks(AgentSettings settings, EventLoop loop, ControlPlane control, Consumer<RunEvent> record) {
        this.settings = settings;
        this.loop = loop;
        this.control = control;
        this.record = record;
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.Joined joined) {
            control.joined(
                    joined.identity(),
                    new NodeLife(
                            settings.nodeId(),
                            settings.address(),
                            control.port(),
                            joined.createRevision(),
                            joined.leaseId(),
                            joined.revokedBefore()));
        } else if (event instanceof RendezvousEvent.RecordChanged changed) {
            control.sendToCoordinator(changed.record());
        } else if (event instanceof RendezvousEvent.CoordinatorChanged changed) {
            NodeRecord other = changed.coordinator();
            warnUnreachable(other.nodeId(), other.spec().address());
            control.coordinator(Neighbour.of(other.spec()));
        } else if (event instanceof RendezvousEvent.Elected) {
            control.coordinator(null);
        } else if (event instanceof RendezvousEvent.RoundChanged changed) {
            Round round = changed.round();
            round.participants()
                    .forEach(member ->
                            warnUnreachable(member.nodeId(), member.spec().address()));
            // Behind what the round makes of the workers.
            loop.execute(() -> control.ring(round.participants()));
        }
    }

    // Logged once: with an etcd at a loopback address, this node publishes a loopback address to others.
    private void warnUnreachable(String otherNode, String other) {
        Optional<String> wrong = ListenPlaces.unreachable(settings.address(), otherNode, other);
        if (wrong.isPresent() && !unreachable) {
            unreachable = true;
            LOG.warn("{}", wrong.get());
            record.accept(new RunEvent.NodeUnreachable(wrong.get()));
        }
    }
}
