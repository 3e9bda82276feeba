/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.proto.KeptOut;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Ready nodes that this agent, as coordinator, does not put into a round for now. Owned by the loop. */
public final class KeptOutNodes {
    private List<dev.elasticrun.rendezvous.record.KeptOut> nodes = List.of();

    /** @param record receives an event for each node that was not kept out before, or for another reason */
    public void set(List<dev.elasticrun.rendezvous.record.KeptOut> newest, long nowNanos, Consumer<RunEvent> record) {
        newest.stream()
                .filter(node -> nodes.stream()
                        .noneMatch(known -> known.nodeId().equals(node.nodeId())
                                && known.why().equals(node.why())))
                .map(node -> event(status(node, nowNanos)))
                .forEach(record);
        nodes = newest;
    }

    private static RunEvent event(KeptOut node) {
        Optional<Long> seconds = Optional.of(node.getLeftMillis())
                .filter(millis -> millis >= 0)
                .map(millis -> Math.round(millis / 1000.0));
        return new RunEvent.NodeKeptOut(node.getNodeId(), node.getWhy(), seconds);
    }

    /** Another agent is the coordinator. */
    public void clear() {
        nodes = List.of();
    }

    public List<KeptOut> at(long nowNanos) {
        return nodes.stream().map(node -> status(node, nowNanos)).toList();
    }

    private static KeptOut status(dev.elasticrun.rendezvous.record.KeptOut node, long nowNanos) {
        long left = node.untilNanos() == Long.MAX_VALUE
                ? -1
                : Math.max(0, TimeUnit.NANOSECONDS.toMillis(node.untilNanos() - nowNanos));
        return KeptOut.newBuilder()
                .setNodeId(node.nodeId())
                .setWhy(node.why())
                .setLeftMillis(left)
                .build();
    }
}
