/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.DialAnswer;
import dev.elasticrun.agent.liveness.GrpcHoldCalls;
import dev.elasticrun.agent.liveness.HoldCalls;
import dev.elasticrun.agent.liveness.Links;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.agent.liveness.SocketDialer;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.agent.tls.HandshakeWatch;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.ListenPlace;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final int MAX_CALLS = 256;
    private static final int MAX_RECORD_BYTES = MAX_MESSAGE_BYTES - 1024;
    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(500);
    private static final Duration NEWCOMER_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SURVEY_DEADLINE = Duration.ofMillis(200);
    private static final long IDLE_SECONDS = 30;

    private final EventLoop loop;
    private final ChannelCredentials credentials;
    private final RunKeyProof proofs = new RunKeyProof(System::nanoTime);
    private final SocketDialer probe = new SocketDialer("death-probe", PROBE_TIMEOUT);
    private final SocketDialer newcomers = new SocketDialer("newcomer-dial", NEWCOMER_TIMEOUT);
    private final ConnectionGate gate = new ConnectionGate();
    private final EventLoopGroup boss;
    private final Links links;
    private final NodeCalls nodeCalls = new NodeCalls(this::channelTo, SURVEY_DEADLINE);
    private final RunSurvey survey;
    private final EventSurvey events;
    private final CurveSurvey curves;
    private final RunKeyGate keyGate;
    private final ControlService service;
    private final Server server;

    private ControlPlane(
            String nodeId, EventLoop loop, ControlPeer peer, ListenPlace place, Optional<RunTls> tls, Refusals refusals)
            throws IOException {
        this.loop = loop;
        this.credentials = tls.map(RunTls::client).orElseGet(InsecureChannelCredentials::create);
        this.boss = new MultiThreadIoEventLoopGroup(1, Daemons.named("control"), NioIoHandler.newFactory());
        this.links = new Links(nodeId, loop, proofs, probe, this::callsTo, peer::proveDead);
        this.survey = new RunSurvey(nodeId, loop, peer, nodeCalls, SURVEY_DEADLINE);
        this.events = new EventSurvey(nodeCalls, survey::key);
        this.curves = new CurveSurvey(nodeCalls, survey::key);
        this.keyGate = new RunKeyGate(nodeId, proofs, gate, refusals);
        this.service = new ControlService(nodeId, loop, keyGate, peer, links.incoming(), survey::take);
        this.server = place.open(at -> serve(at, place.hasRange(), tls, refusals));
    }

    private Server serve(InetSocketAddress at, boolean exclusively, Optional<RunTls> tls, Refusals refusals)
            throws IOException {
        return NettyServerBuilder.forAddress(at, tls.map(RunTls::server).orElseGet(InsecureServerCredentials::create))
                // A port of a range may be reserved for a worker; no other socket may listen beside that worker.
                .withOption(ChannelOption.SO_REUSEADDR, !exclusively)
                .channelFactory(HandshakeWatch.channels(
                        gate::admit,
                        (protocol, from, why) -> refusals.handshake(protocol, "control service", from, why)))
                .bossEventLoopGroup(boss)
                .workerEventLoopGroup(boss)
                .directExecutor()
                .maxConcurrentCallsPerConnection(MAX_CALLS)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .addService(service)
                .intercept(new CallerAddress())
                .intercept(keyGate)
                .build()
                .start();
    }

    /**
     * Serves from now on.
     *
     * @param place where
     * @param tls verifies agents and commands; empty = plain text
     * @param refusals records refused callers
     */
    public static ControlPlane start(
            String nodeId,
            EventLoop loop,
            ControlPeer peer,
            ListenPlace place,
            Optional<RunTls> tls,
            Refusals refusals) {
        try {
            return new ControlPlane(nodeId, loop, peer, place, tls, refusals);
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
        survey.key(identity.runKey());
        service.joined(identity.incarnation());
        links.joined(identity.incarnation(), life);
    }

    /** @param newest null when there is no other coordinator to hold a connection to */
    public void coordinator(@Nullable Neighbour newest) {
        links.coordinator(newest);
    }

    /** @param participants of the newest round, in rank order */
    public void ring(List<Participant> participants) {
        links.ring(participants);
    }

    /** Asks whether a worker of another node can be reached from here; what is wrong, or empty. Called by any thread. */
    public CompletableFuture<String> dialWorker(String address, int port) {
        return newcomers.dial(address, port).thenApply(DialAnswer::detail);
    }

    /**
     * What the whole run does at this moment; callable by any thread, and reads small files on it. Completes soon, also
     * when agents do not answer; with an exception if the store does not.
     */
    public CompletableFuture<RunStatus> run() {
        return survey.take();
    }

    /**
     * Reads the events of other nodes; callable by any thread. Completes within seconds, without those that do not
     * answer.
     *
     * @param nodes whose agents are asked
     * @param known number of bytes of each node's lines that the caller has already
     * @param exceptGone departed nodes whose events are not requested from agents that keep such events; empty = only
     *     the agents' own events are requested
     */
    public CompletableFuture<List<EventPart>> events(
            Collection<Neighbour> nodes, Map<String, Long> known, Optional<Set<String>> exceptGone) {
        CompletableFuture<List<EventPart>> gone = exceptGone
                .map(except -> events.gone(nodes, except))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
        return events.own(nodes, known).thenCombine(gone, (own, others) -> Stream.concat(own.stream(), others.stream())
                .toList());
    }

    /** What the workers of other nodes did until now; callable by any thread, and completes as {@link #events} does. */
    public CompletableFuture<Map<String, NodeCurves>> curves(Collection<Neighbour> nodes) {
        return curves.take(nodes);
    }

    /** Hands the node's newest record to the coordinator, if there is a connection to it and the record is not large. */
    public void sendToCoordinator(byte[] record) {
        loop.assertInLoop();
        if (record.length <= MAX_RECORD_BYTES) {
            links.sendToCoordinator(record);
        }
    }

    /** The agent leaves: the end of its connections is no proof of anything. */
    public void sendGoodbye(String reason) {
        links.sendGoodbye(reason);
    }

    /** The nodes at the other ends of established connections; a node may be at two of them. */
    List<NodeLife> held() {
        return links.held();
    }

    private HoldCalls callsTo(Neighbour neighbour) {
        return new GrpcHoldCalls(channelTo(neighbour));
    }

    private ManagedChannel channelTo(Neighbour neighbour) {
        return ChannelTargets.builder(neighbour.address(), neighbour.controlPort(), credentials)
                .channelType(NioSocketChannel.class)
                .eventLoopGroup(boss)
                .directExecutor()
                .idleTimeout(IDLE_SECONDS, TimeUnit.SECONDS)
                .build();
    }

    /** Called outside the loop, which has ended. */
    @Override
    public void close() {
        probe.close();
        newcomers.close();
        links.abort();
        nodeCalls.close();
        server.shutdownNow();
        boss.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
