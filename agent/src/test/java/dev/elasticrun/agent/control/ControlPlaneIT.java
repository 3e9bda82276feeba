/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.control.ControlFixture.Agent;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.HoldFrame;
import dev.elasticrun.proto.HoldHello;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.proto.StatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Control planes over real sockets: whose end is proved by whom. */
@Timeout(120)
final class ControlPlaneIT {
    private static final String[] FOUR = {"a", "b", "c", "d"};
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ControlFixture agents = new ControlFixture();

    @AfterEach
    void close() {
        agents.close();
        assertThat(agents.errors).isEmpty();
    }

    @Test
    void death_ofAParticipant_isProvedByTheCoordinatorAndBothNeighbours() {
        formFour();

        kill("c");

        awaitProofs("c", "a", "b", "d");
    }

    @Test
    void deaths_ofTheCoordinatorAndItsSuccessor_areProvedByTheirOtherNeighbours() {
        formFour();

        kill("a", "b");

        awaitProofs("a", "d", "c");
        awaitProofs("b", "c");
    }

    @Test
    void deaths_ofTwoNeighboursThatDoNotCoordinate_areProvedByTheCoordinator() {
        formFour();

        kill("b", "c");

        awaitProofs("b", "a");
        awaitProofs("c", "a", "d");
    }

    @Test
    void death_ofAStandby_isProvedByTheCoordinator() {
        start();
        agents.form("a", "a", "b", "c");
        awaitHeld("a", 4);

        kill("d");

        awaitProofs("d", "a");
    }

    @Test
    void record_ofAParticipant_isReceivedByTheCoordinatorOnly() {
        formFour();

        Agent speaker = agents.agent("c");
        speaker.loop.execute(() -> speaker.plane.sendToCoordinator(new byte[1 << 17]));
        speaker.loop.execute(() -> speaker.plane.sendToCoordinator("news".getBytes(StandardCharsets.UTF_8)));

        await().atMost(LIMIT).until(() -> agents.agent("a").received.contains("news"));
        assertThat(agents.agent("a").received).as("without what is too large").containsExactly("news");
        assertThat(agents.agent("a").speakers).containsOnly("c");
        assertThat(agents.agent("d").received).isEmpty();
    }

    @Test
    void calls_withTheKeyOfTheRun_areAnswered() {
        awaitJoined(agents.start("a"));
    }

    @Test
    void callers_withAnotherKey_noticeBeforeTheyProveAnything() {
        Agent agent = agents.start("a");
        awaitJoined(agent);

        assertThatThrownBy(() -> status(agent, "another key".getBytes(StandardCharsets.UTF_8)))
                .hasMessageStartingWith("UNAUTHENTICATED: ");
    }

    @Test
    void callers_ofAnotherNode_noticeBeforeTheyProveAnything() {
        Agent agent = agents.start("a");
        awaitJoined(agent);

        try (ControlClient client =
                new ControlClient("127.0.0.1:" + agent.plane.port(), "b", ControlFixture.KEY, Optional.empty())) {
            assertThatThrownBy(() -> client.blocking(LIMIT).status(StatusRequest.getDefaultInstance()))
                    .hasMessageStartingWith("UNAVAILABLE: ")
                    .hasMessageEndingWith("(expected: node b)");
        }
    }

    @Test
    void proofs_ofSomethingElse_areRefusedAndReported() {
        Agent agent = agents.start("a");
        awaitJoined(agent);
        String status = ControlGrpc.getStatusMethod().getFullMethodName();
        ByteString asked = StatusRequest.getDefaultInstance().toByteString();
        byte[] key = ControlFixture.KEY;

        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", agent.plane.port())
                .usePlaintext()
                .build();
        try {
            assertThat(ask(channel, challenge -> RunKeyProof.answer(key, challenge, status, "a", asked)))
                    .isEqualTo("OK");
            List.<Function<ByteString, Proof>>of(
                            challenge -> RunKeyProof.answer(new byte[16], challenge, status, "a", asked),
                            challenge -> RunKeyProof.answer(
                                    key, challenge, ControlGrpc.getLogsMethod().getFullMethodName(), "a", asked),
                            challenge -> RunKeyProof.answer(key, challenge, status, "b", asked),
                            challenge -> RunKeyProof.answer(
                                    key, challenge, status, "a", ByteString.copyFromUtf8("another request")),
                            challenge -> RunKeyProof.answer(key, ByteString.copyFrom(new byte[40]), status, "a", asked),
                            challenge -> Proof.getDefaultInstance())
                    .forEach(proof -> assertThat(ask(channel, proof)).isEqualTo("UNAUTHENTICATED"));
        } finally {
            channel.shutdownNow();
        }
        assertThat(agent.refused).extracting(Refusals.Refusal::method).contains("Status");
    }

    @Test
    void proof_usedTwice_isRefusedTheSecondTime() {
        Agent agent = agents.start("a");
        awaitJoined(agent);
        String status = ControlGrpc.getStatusMethod().getFullMethodName();
        ByteString asked = StatusRequest.getDefaultInstance().toByteString();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", agent.plane.port())
                .usePlaintext()
                .build();
        try {
            ByteString challenge = ControlGrpc.newBlockingStub(channel)
                    .challenge(ChallengeRequest.getDefaultInstance())
                    .getChallenge();
            Proof proof = RunKeyProof.answer(ControlFixture.KEY, challenge, status, "a", asked);

            assertThat(ask(channel, other -> proof)).isEqualTo("OK");
            assertThat(ask(channel, other -> proof)).isEqualTo("UNAUTHENTICATED");
        } finally {
            channel.shutdownNow();
        }
    }

    /** Somebody has the address of b, and passes on what he receives to a. */
    @Test
    void relay_betweenTwoNodes_getsNoProof() throws IOException {
        Agent agent = agents.start("a");
        awaitJoined(agent);
        AtomicInteger holds = new AtomicInteger();
        ManagedChannel toA = NettyChannelBuilder.forAddress("127.0.0.1", agent.plane.port())
                .usePlaintext()
                .build();
        AtomicInteger challenges = new AtomicInteger();
        Server relay = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new ControlGrpc.ControlImplBase() {
                    @Override
                    public void challenge(ChallengeRequest request, StreamObserver<ChallengeReply> replies) {
                        challenges.incrementAndGet();
                        ControlGrpc.newStub(toA).challenge(request, replies);
                    }

                    @Override
                    public StreamObserver<HoldFrame> hold(StreamObserver<HoldFrame> replies) {
                        holds.incrementAndGet();
                        return ControlGrpc.newStub(toA).hold(replies);
                    }
                })
                .build()
                .start();
        try {
            Neighbour stolen = new Neighbour("b", "127.0.0.1", relay.getPort());
            agent.loop.execute(() -> agent.plane.coordinator(stolen));

            await().atMost(LIMIT).until(() -> challenges.get() >= 2);
            assertThat(holds).hasValue(0);
        } finally {
            relay.shutdownNow();
            toA.shutdownNow();
        }
    }

    @Test
    void hold_withoutAProof_isRefusedAndReported() {
        Agent agent = agents.start("a");
        awaitJoined(agent);
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", agent.plane.port())
                .usePlaintext()
                .build();
        try {
            StreamObserver<HoldFrame> stream = ControlGrpc.newStub(channel).hold(new StreamObserver<>() {
                @Override
                public void onNext(HoldFrame frame) {}

                @Override
                public void onError(Throwable refused) {}

                @Override
                public void onCompleted() {}
            });
            stream.onNext(HoldFrame.newBuilder()
                    .setHello(HoldHello.newBuilder()
                            .setIncarnation("i")
                            .setNodeId("b")
                            .setExpectedNodeId("a"))
                    .build());

            await().atMost(LIMIT).until(() -> agent.refused.stream()
                    .anyMatch(refusal -> refusal.method().equals("Hold")));
        } finally {
            channel.shutdownNow();
        }
    }

    private static String ask(ManagedChannel channel, Function<ByteString, Proof> proof) {
        ControlGrpc.ControlBlockingStub stub = ControlGrpc.newBlockingStub(channel);
        ByteString challenge =
                stub.challenge(ChallengeRequest.getDefaultInstance()).getChallenge();
        Metadata headers = new Metadata();
        headers.put(RunKeyGate.PROOF, proof.apply(challenge).toByteArray());
        try {
            stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .status(StatusRequest.getDefaultInstance());
            return "OK";
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }

    private static void awaitJoined(Agent agent) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> status(agent, ControlFixture.KEY)
                .equals(agent.nodeId));
    }

    private static String status(Agent agent, byte[] key) {
        try (ControlClient client = new ControlClient("127.0.0.1:" + agent.plane.port(), key, Optional.empty())) {
            return client.blocking(LIMIT)
                    .status(StatusRequest.getDefaultInstance())
                    .getAnsweredBy();
        }
    }

    @Test
    void goodbye_beforeTheEnd_provesNothing() {
        formFour();

        agents.agent("c").leave();
        kill("c", "b");

        awaitProofOfBOnly();
    }

    @Test
    void death_ofANodeThatCameBackAfterARevoke_isLeftToItsLease() {
        for (String nodeId : List.of("a", "b", "d")) {
            agents.start(nodeId);
        }
        agents.start("c", true);
        agents.form("a", FOUR);
        awaitHeld("a", 4);
        awaitHeld("d", 2);

        kill("c", "b");

        awaitProofOfBOnly();
    }

    @Test
    void death_afterAnotherLifeBegan_isProved() {
        formFour();

        agents.agent("c").rejoin(77, false);
        agents.form("a", "a", "b", "d", "c");
        await("the new life is held")
                .atMost(LIMIT)
                .until(() -> agents.held("a").stream().anyMatch(life -> life.createRevision() == 77)
                        && agents.held("d").stream().anyMatch(life -> life.createRevision() == 77));
        kill("c");

        awaitProofs("c", "a", "d");
    }

    @Test
    void nobodyDies_underLoadAndChangingRounds_nobodyIsProved() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> load = new ArrayList<>();
        for (int i = 0; i < 3 * Runtime.getRuntime().availableProcessors(); i++) {
            load.add(new Thread(() -> spinUntil(over), "load-" + i));
        }
        start();
        load.forEach(Thread::start);
        try {
            for (int round = 0; round < 24; round++) {
                agents.form(FOUR[round % 4], rotated(round));
                Agent stalled = agents.agent(FOUR[(round / 2) % 4]);
                if (round % 5 == 0) {
                    stalled.loop.execute(() -> spinFor(Duration.ofMillis(300)));
                }
                if (round % 7 == 0) {
                    stalled.rejoin(1000 + round, false);
                }
                int now = round;
                await().atMost(LIMIT)
                        .until(() -> now % 3 != 0 || agents.held(FOUR[now % 4]).size() >= 3);
            }
            agents.form("a", FOUR);
            awaitHeld("a", 4);
        } finally {
            over.set(true);
            for (Thread thread : load) {
                thread.join();
            }
        }

        assertThat(FOUR)
                .allSatisfy(nodeId ->
                        assertThat(agents.agent(nodeId).proved).as(nodeId).isEmpty());
    }

    private static String[] rotated(int by) {
        String[] members = new String[FOUR.length - by % 2];
        for (int i = 0; i < members.length; i++) {
            members[i] = FOUR[(i * (by % 3 == 0 ? 3 : 1) + by) % FOUR.length];
        }
        return members;
    }

    private static void spinUntil(AtomicBoolean over) {
        while (!over.get()) {
            Thread.onSpinWait();
        }
    }

    private static void spinFor(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private void start() {
        for (String nodeId : FOUR) {
            agents.start(nodeId);
        }
    }

    /** A ring of four; the first coordinates, so that its successor's connection and its own are between the same two. */
    private void formFour() {
        start();
        agents.form("a", FOUR);
        awaitHeld("a", 4);
        awaitHeld("b", 3);
        awaitHeld("c", 3);
        awaitHeld("d", 2);
    }

    private void awaitHeld(String nodeId, int links) {
        await(nodeId + " has its connections")
                .atMost(LIMIT)
                .until(() -> agents.held(nodeId).size() >= links);
    }

    private void kill(String... nodeIds) {
        for (String nodeId : nodeIds) {
            agents.agent(nodeId).die();
        }
    }

    private void awaitProofs(String dead, String... provers) {
        for (String prover : provers) {
            await(prover + " proves the death of " + dead)
                    .atMost(LIMIT)
                    .until(() -> agents.agent(prover).proved.contains(dead));
        }
    }

    /** After the ends of c and then of b: by the time of this proof the other end had been noticed, too. */
    private void awaitProofOfBOnly() {
        awaitProofs("b", "a");
        assertThat(agents.agent("a").proved).containsExactly("b");
        assertThat(agents.agent("d").proved).isEmpty();
    }
}
