/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.worker.contract.Daemons;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Calls one agent, and proves with every call to know the run's key. Connects with the first call. Safe for use by any
 * thread.
 */
public final class ControlClient implements AutoCloseable {
    private static volatile boolean used;

    private final ManagedChannel channel;
    private final Channel proven;

    /** To whichever node of the run is there. */
    public ControlClient(String control, byte[] key, Optional<RunTls> tls) {
        this(control, "", key, tls);
    }

    /**
     * @param control HOST:PORT of the agent
     * @param nodeId whose agent it must be; empty = of any node of the run
     * @param key of the run
     * @param tls by what the agent is known and knows the caller; empty = in plain text
     */
    public ControlClient(String control, String nodeId, byte[] key, Optional<RunTls> tls) {
        int colon = control.lastIndexOf(':');
        this.channel = ChannelTargets.builder(
                        control.substring(0, colon),
                        Integer.parseInt(control.substring(colon + 1)),
                        tls.map(RunTls::client).orElseGet(InsecureChannelCredentials::create))
                .channelType(NioSocketChannel.class)
                .eventLoopGroup(Threads.GROUP)
                .intercept(new TlsExplainer(tls.isPresent()))
                .directExecutor()
                .build();
        this.proven = ClientInterceptors.intercept(channel, new ProvenCalls(key, nodeId));
    }

    /**
     * Loads what the first call needs while the process still looks for the agents to call; for a process that only
     * calls agents, before anything else. The network library then logs by {@code java.util.logging}, as another logger
     * would take longer to load than the call.
     */
    public static void prepare() {
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
        Daemons.start("call-loader", ControlClient::load);
    }

    private static void load() {
        RunKeyProof.answer(new byte[1], ByteString.EMPTY, "", "", ByteString.EMPTY);
        try (ControlClient client = new ControlClient("127.0.0.1:1", new byte[1], Optional.empty())) {
            client.blocking(Duration.ofSeconds(1));
        }
    }

    /** Calls that block until the reply arrives, up to the deadline; then they throw {@code StatusRuntimeException}. */
    public ControlGrpc.ControlBlockingStub blocking(Duration deadline) {
        return ControlGrpc.newBlockingStub(proven).withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Calls whose replies come on a thread of the channel; without a deadline. */
    public ControlGrpc.ControlStub async() {
        return ControlGrpc.newStub(proven);
    }

    /** The connection, without proofs: for what the agent answers to all callers. */
    Channel plain() {
        return channel;
    }

    /** The connection with a proof for each call, for other services of the same process. */
    Channel proven() {
        return proven;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    /**
     * Ends the thread of all clients, to be called last: a JVM whose threads are within system calls when it exits waits
     * for them, for 300 ms.
     */
    public static void shutdown() {
        if (used) {
            Threads.GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
    }

    /** Made with the first client. */
    private static final class Threads {
        static final EventLoopGroup GROUP =
                new MultiThreadIoEventLoopGroup(1, Daemons.named("control-client"), NioIoHandler.newFactory());

        static {
            used = true;
        }
    }
}
