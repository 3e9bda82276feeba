/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.rendezvous.NodeRecord;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The agent's control service, and its connection to the coordinator's. Methods belong to the loop, but for {@link
 * #start}, {@link #port} and {@link #close}.
 */
public final class ControlPlane implements AutoCloseable {
    private final String nodeId;
    private final EventLoop loop;
    private final ControlPeer peer;
    private final RunKeyProof proofs = new RunKeyProof(System::nanoTime);
    private final DeathProbe probe = new DeathProbe();
    private final EventLoopGroup boss;
    private final ControlService service;
    private final Server server;
    private String incarnation = "";
    private @Nullable CoordinatorLink link;

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
        this.service = new ControlService(nodeId, loop, proofs, peer, probe);
        this.server = NettyServerBuilder.forPort(0)
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(boss)
                .workerEventLoopGroup(boss)
                .directExecutor()
                .maxInboundMessageSize(1 << 16)
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

    /** From now on callers that know the run's key are served. */
    public void joined(RunIdentity identity) {
        proofs.key(identity.runKey());
        incarnation = identity.incarnation();
        service.joined(identity.incarnation());
    }

    /** Holds a connection to this coordinator instead of the last one. */
    public void hold(NodeRecord coordinator) {
        release();
        CoordinatorLink next = new CoordinatorLink(
                coordinator,
                incarnation,
                nodeId,
                loop,
                proofs,
                peer,
                probe,
                NettyChannelBuilder.forAddress(coordinator.address(), coordinator.controlPort())
                        .channelType(NioSocketChannel.class)
                        .eventLoopGroup(boss)
                        .usePlaintext()
                        .directExecutor()
                        .build());
        link = next;
        next.open();
    }

    /** There is no other coordinator to hold a connection to. */
    public void release() {
        leave("another coordinator");
    }

    /** The agent leaves: the end of its connection is no proof of anything. */
    public void sayGoodbye(String reason) {
        leave(reason);
    }

    private void leave(String reason) {
        if (link != null) {
            link.close(reason);
            link = null;
        }
    }

    /** Called outside the loop, which has ended. */
    @Override
    public void close() {
        probe.close();
        server.shutdownNow();
        boss.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
