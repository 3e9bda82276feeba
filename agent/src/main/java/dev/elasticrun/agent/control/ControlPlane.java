/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.loop.EventLoop;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The agent's control service, and its connections to its neighbours'. Methods belong to the loop, but for {@link
 * #start}, {@link #port} and {@link #close}.
 */
public final class ControlPlane implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 1 << 16;
    private static final int MAX_RECORD_BYTES = MAX_MESSAGE_BYTES - 1024;
    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(500);
    private static final Duration NEWCOMER_TIMEOUT = Duration.ofSeconds(1);

    private final String nodeId;
    private final EventLoop loop;
    private final ControlPeer peer;
    private final RunKeyProof proofs = new RunKeyProof(System::nanoTime);
    private final Dialer probe = new Dialer("death-probe", PROBE_TIMEOUT);
    private final Dialer newcomers = new Dialer("newcomer-dial", NEWCOMER_TIMEOUT);
    private final EventLoopGroup boss;
    private final IncomingLinks incoming;
    private final Map<Neighbour, OutgoingLink> outgoing = new LinkedHashMap<>();
    private final Set<String> proved = new HashSet<>();
    private final ControlService service;
    private final Server server;
    private String incarnation = "";
    private @Nullable NodeLife self;
    private @Nullable Neighbour coordinator;
    private List<Participant> ring = List.of();

    private ControlPlane(String nodeId, EventLoop loop, ControlPeer peer) throws IOException {
        this.nodeId = nodeId;
        this.loop = loop;
        this.peer = peer;
        this.boss = new MultiThreadIoEventLoopGroup(
                1,
                task -> {
                    Thread thread = new Thread(task, "control");
                    thread.setDaemon(true);
                    return thread;
                },
                NioIoHandler.newFactory());
        this.incoming = new IncomingLinks(loop, probe, this::onDead);
        this.service = new ControlService(nodeId, loop, proofs, peer, incoming);
        this.server = NettyServerBuilder.forPort(0)
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(boss)
                .workerEventLoopGroup(boss)
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .addService(service)
                .build()
                .start();
    }

    /** Serves on a port of the operating system's choice. */
    public static ControlPlane start(String nodeId, EventLoop loop, ControlPeer peer) {
        try {
            return new ControlPlane(nodeId, loop, peer);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot serve the control service of node " + nodeId, e);
        }
    }

    public int port() {
        return server.getPort();
    }

    /**
     * From now on callers that know the run's key are served, and neighbours are held. Called again for each further life
     * of the node.
     */
    public void joined(RunIdentity identity, NodeLife life) {
        loop.assertInLoop();
        proofs.key(identity.runKey());
        incarnation = identity.incarnation();
        service.joined(identity.incarnation());
        incoming.life(life);
        release("another life of the node");
        self = life;
        holdNeighbours();
    }

    /** @param newest null when there is no other coordinator to hold a connection to */
    public void coordinator(@Nullable Neighbour newest) {
        loop.assertInLoop();
        coordinator = newest;
        holdNeighbours();
    }

    /** @param participants of the newest round, in rank order */
    public void ring(List<Participant> participants) {
        loop.assertInLoop();
        ring = participants;
        holdNeighbours();
    }

    /** Asks whether a worker of another node can be reached from here; what is wrong, or empty. Called by any thread. */
    public CompletableFuture<String> dialWorker(String address, int port) {
        return newcomers.dial(address, port).thenApply(DialAnswer::detail);
    }

    /** Hands the node's newest record to the coordinator, if there is a connection to it and the record is not large. */
    public void tellCoordinator(byte[] record) {
        loop.assertInLoop();
        Neighbour listener = coordinator;
        OutgoingLink link = listener == null ? null : outgoing.get(listener);
        if (link != null && record.length <= MAX_RECORD_BYTES) {
            link.tell(ByteString.copyFrom(record));
        }
    }

    /** The agent leaves: the end of its connections is no proof of anything. */
    public void sayGoodbye(String reason) {
        loop.assertInLoop();
        self = null;
        release(reason);
        incoming.sayGoodbye(reason);
    }

    /** Who is at the other ends of established connections; a node may be at two of them. */
    List<NodeLife> held() {
        loop.assertInLoop();
        return Stream.concat(incoming.watches(), outgoing.values().stream().map(OutgoingLink::watch))
                .flatMap(watch -> watch.held().stream())
                .toList();
    }

    private void holdNeighbours() {
        NodeLife life = self;
        if (life == null) {
            return;
        }
        List<Neighbour> wanted = Neighbours.of(nodeId, ring, coordinator);
        outgoing.entrySet().removeIf(held -> {
            boolean released = !wanted.contains(held.getKey());
            if (released) {
                held.getValue().close("no neighbour any more");
            }
            return released;
        });
        for (Neighbour neighbour : wanted) {
            outgoing.computeIfAbsent(neighbour, missing -> hold(missing, life));
        }
    }

    private OutgoingLink hold(Neighbour neighbour, NodeLife life) {
        OutgoingLink link = new OutgoingLink(
                neighbour,
                incarnation,
                life,
                loop,
                proofs,
                new LinkWatch("to " + neighbour.nodeId(), loop, probe, this::onDead),
                NettyChannelBuilder.forAddress(neighbour.address(), neighbour.controlPort())
                        .channelType(NioSocketChannel.class)
                        .eventLoopGroup(boss)
                        .usePlaintext()
                        .directExecutor()
                        .build());
        link.open();
        return link;
    }

    /** A node that comes back after this is judged by its lease, whatever its connections do. */
    private void onDead(NodeLife dead, String evidence) {
        if (self != null && proved.add(dead.nodeId())) {
            peer.proveDead(dead, evidence);
        }
    }

    private void release(String reason) {
        outgoing.values().forEach(link -> link.close(reason));
        outgoing.clear();
    }

    /** Called outside the loop, which has ended. */
    @Override
    public void close() {
        probe.close();
        newcomers.close();
        outgoing.values().forEach(OutgoingLink::abort);
        server.shutdownNow();
        boss.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
