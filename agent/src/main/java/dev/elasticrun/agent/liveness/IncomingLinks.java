/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.proto.HoldAccepted;
import dev.elasticrun.proto.HoldFrame;
import dev.elasticrun.proto.HoldGoodbye;
import dev.elasticrun.proto.Life;
import dev.elasticrun.rendezvous.loop.EventLoop;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The connections that other agents hold to this one, the newest of each. Owned by the loop. */
public final class IncomingLinks {
    private final EventLoop loop;
    private final Dialer dialer;
    private final BiConsumer<NodeLife, String> onDead;
    private final Map<String, Incoming> links = new HashMap<>();
    // Watches of nodes whose connections ended without a goodbye.
    private final Map<String, LinkWatch> suspects = new HashMap<>();

    private @Nullable NodeLife self;

    private record Incoming(StreamObserver<HoldFrame> stream, LinkWatch watch) {}

    IncomingLinks(EventLoop loop, Dialer dialer, BiConsumer<NodeLife, String> onDead) {
        this.loop = loop;
        this.dialer = dialer;
        this.onDead = onDead;
    }

    /** Sets this node's newest life; a caller that holds a connection to the previous one has to reconnect. */
    void life(NodeLife newest) {
        loop.assertInLoop();
        if (self != null && !self.equals(newest)) {
            sendGoodbye("another life of the node");
        }
        self = newest;
    }

    /** A node that knows the run's key opened this stream. */
    public void opened(StreamObserver<HoldFrame> stream, NodeLife other) {
        loop.assertInLoop();
        NodeLife known = self;
        if (known == null) {
            stream.onCompleted();
            return;
        }
        LinkWatch suspect = suspects.remove(other.nodeId());
        if (suspect != null) {
            suspect.on(LinkState::goodbye);
        }
        Incoming link = new Incoming(stream, new LinkWatch("from " + other.nodeId(), loop, dialer, onDead));
        Incoming former = links.put(other.nodeId(), link);
        if (former != null) {
            former.watch().on(LinkState::goodbye);
            former.stream().onCompleted();
        }
        stream.onNext(HoldFrame.newBuilder()
                .setAccepted(HoldAccepted.newBuilder()
                        .setNodeId(known.nodeId())
                        .setLife(Life.newBuilder()
                                .setCreateRevision(known.createRevision())
                                .setLeaseId(known.leaseId())
                                .setLeaseOnly(known.leaseOnly())))
                .build());
        link.watch().on(before -> before.introduced(other));
    }

    public void goodbye(String nodeId, StreamObserver<HoldFrame> stream) {
        Incoming link = links.get(nodeId);
        if (link != null && link.stream() == stream) {
            link.watch().on(LinkState::goodbye);
        }
    }

    /** @param complete whether it is still ours to close the stream */
    public void ended(String nodeId, StreamObserver<HoldFrame> stream, boolean complete) {
        Incoming link = links.get(nodeId);
        if (link == null || link.stream() != stream) {
            return;
        }
        links.remove(nodeId);
        if (complete) {
            stream.onCompleted();
        }
        link.watch().on(LinkState::ended);
        suspects.values().removeIf(former -> !former.suspicious());
        if (link.watch().suspicious()) {
            suspects.put(nodeId, link.watch());
        }
    }

    Stream<LinkWatch> watches() {
        return links.values().stream().map(Incoming::watch);
    }

    /** The end of these connections is no proof of anything. */
    void sendGoodbye(String reason) {
        loop.assertInLoop();
        for (Incoming link : new ArrayList<>(links.values())) {
            link.watch().on(LinkState::goodbye);
            link.stream()
                    .onNext(HoldFrame.newBuilder()
                            .setGoodbye(HoldGoodbye.newBuilder().setReason(reason))
                            .build());
            link.stream().onCompleted();
        }
        links.clear();
    }
}
