/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.control.ControlFixture.Agent;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.CommandReply;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.DumpRequest;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.proto.StatusRequest;
import dev.elasticrun.proto.StopRun;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
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
    void record_ofAParticipant_isHeardByTheCoordinatorOnly() {
        formFour();

        Agent speaker = agents.agent("c");
        speaker.loop.execute(() -> speaker.plane.tellCoordinator(new byte[1 << 17]));
        speaker.loop.execute(() -> speaker.plane.tellCoordinator("news".getBytes(StandardCharsets.UTF_8)));

        await().atMost(LIMIT).until(() -> agents.agent("a").heard.contains("news"));
        assertThat(agents.agent("a").heard).as("without what is too large").containsExactly("news");
        assertThat(agents.agent("a").speakers).containsOnly("c");
        assertThat(agents.agent("d").heard).isEmpty();
    }

    @Test
    void calls_withTheKeyOfTheRun_areAnswered() {
        awaitJoined(agents.start("a"));
    }

    @Test
    void calls_withoutTheKeyOfTheRun_areRefusedAndTold() {
        Agent agent = agents.start("a");
        awaitJoined(agent);

        assertThatThrownBy(() -> status(agent, "another key".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("UNAUTHENTICATED: the caller does not know the key of this run");

        assertThat(agent.refused).extracting(Refusals.Refusal::method).containsExactly("Status");
    }

    @Test
    void command_withoutTheKeyOfTheRun_isRefusedAndTold() {
        Agent agent = agents.start("a");
        awaitJoined(agent);

        try (ControlClient client = new ControlClient(
                "127.0.0.1:" + agent.plane.port(), "another key".getBytes(StandardCharsets.UTF_8), Optional.empty())) {
            Iterator<CommandReply> replies = client.blocking(LIMIT)
                    .command(CommandRequest.newBuilder()
                            .setRequestId("r")
                            .setStop(StopRun.getDefaultInstance())
                            .build());
            assertThatThrownBy(replies::hasNext)
                    .hasMessage("UNAUTHENTICATED: the caller does not know the key of this run");
            assertThatThrownBy(() -> client.blocking(LIMIT).dump(DumpRequest.getDefaultInstance()))
                    .hasMessageStartingWith("UNAUTHENTICATED");
        }

        assertThat(agent.refused).extracting(Refusals.Refusal::method).contains("Command");
    }

    @Test
    void proof_forAnotherMethod_isRefused() {
        Agent agent = agents.start("a");
        awaitJoined(agent);
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", agent.plane.port())
                .usePlaintext()
                .build();
        try {
            ControlGrpc.ControlBlockingStub stub = ControlGrpc.newBlockingStub(channel);
            Metadata headers = new Metadata();
            Proof proof = RunKeyProof.answer(
                    ControlFixture.KEY,
                    stub.challenge(ChallengeRequest.getDefaultInstance()).getChallenge(),
                    ControlGrpc.getLogsMethod().getFullMethodName());
            headers.put(RunKeyGate.PROOF, proof.toByteArray());

            assertThatThrownBy(() -> stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                            .status(StatusRequest.getDefaultInstance()))
                    .hasMessageStartingWith("UNAUTHENTICATED");
        } finally {
            channel.shutdownNow();
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
