/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.agent.tls.HandshakeWatch;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.ListenPlace;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Answers {@link ProbeClient}s of other nodes in place of an agent, at such a port and behind the same proofs. */
public final class ProbeServer implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 1 << 16;

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, Daemons.named("probe"), NioIoHandler.newFactory());
    private final ConnectionGate gate = new ConnectionGate();
    private final RunKeyGate keyGate;
    private final Server server;

    private ProbeServer(String nodeId, byte[] key, ListenPlace place, Optional<RunTls> tls, Refusals refusals)
            throws IOException {
        RunKeyProof proofs = new RunKeyProof(System::nanoTime);
        proofs.key(key);
        this.keyGate = new RunKeyGate(nodeId, proofs, gate, refusals);
        try {
            this.server = place.open(at -> serve(at, place.hasRange(), tls, refusals));
        } catch (IOException e) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    /**
     * Serves from now on.
     *
     * @param key that callers must know
     * @param place where
     * @param tls verifies callers; empty = plain text
     * @param refusals records refused callers
     */
    public static ProbeServer start(
            String nodeId, byte[] key, ListenPlace place, Optional<RunTls> tls, Refusals refusals) throws IOException {
        return new ProbeServer(nodeId, key, place, tls, refusals);
    }

    private Server serve(InetSocketAddress at, boolean exclusively, Optional<RunTls> tls, Refusals refusals)
            throws IOException {
        return NettyServerBuilder.forAddress(at, tls.map(RunTls::server).orElseGet(InsecureServerCredentials::create))
                .withOption(ChannelOption.SO_REUSEADDR, !exclusively)
                .channelFactory(HandshakeWatch.channels(
                        gate::admit, (protocol, from, why) -> refusals.handshake(protocol, "doctor", from, why)))
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .addService(new Greeting())
                .addService(new ProbeService(Clock.systemUTC()))
                .intercept(keyGate)
                .build()
                .start();
    }

    /** The one call of an agent that has no proof, as it comes before each that has. */
    private final class Greeting extends ControlGrpc.ControlImplBase {
        @Override
        public void challenge(ChallengeRequest request, StreamObserver<ChallengeReply> responses) {
            responses.onNext(keyGate.greet(request.getNonce()));
            responses.onCompleted();
        }
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        group.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
