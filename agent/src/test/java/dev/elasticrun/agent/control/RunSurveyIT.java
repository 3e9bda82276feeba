/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.control.ControlFixture.Agent;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one agent puts together of all, over real sockets. */
@Timeout(120)
@Tag("once")
final class RunSurveyIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ControlFixture agents = new ControlFixture();

    @AfterEach
    void close() {
        agents.close();
        assertThat(agents.errors).isEmpty();
    }

    @Test
    void run_oneDeadOneSilent_namesBothAndHasTheOthers() {
        for (String nodeId : new String[] {"a", "b", "c", "d"}) {
            agents.start(nodeId);
        }
        Agent asked = agents.agent("a");
        awaitAll(asked);

        agents.agent("c").die();
        agents.agent("d").silent = true;

        await().atMost(LIMIT).untilAsserted(() -> assertThat(
                        asked.plane.run().join().status().getNodesList())
                .extracting(NodeStatus::getNodeId, node -> node.getSilence().isEmpty(), node -> node.getSilence()
                        .contains("200 ms"))
                .containsExactly(
                        tuple("a", true, false),
                        tuple("b", true, false),
                        tuple("c", false, false),
                        tuple("d", false, true)));
    }

    @Test
    void status_asked_hasTheCoordinatorsWordAndWhatTheStoreKnowsOfTheSilent() {
        agents.start("a");
        agents.start("b").silent = true;
        Agent asked = agents.agent("a");
        awaitOwn(asked);

        try (ControlClient client = new ControlClient(
                "127.0.0.1:" + asked.plane.port(),
                "the key of the run".getBytes(StandardCharsets.UTF_8),
                Optional.empty())) {
            StatusReply reply = client.blocking(LIMIT).status(StatusRequest.getDefaultInstance());

            assertThat(reply.getWaitingFor()).isEqualTo("waits");
            assertThat(reply.getRoundAgeMillis()).isEqualTo(7);
            assertThat(reply.getNodes(0).getSilence()).isEmpty();
            assertThat(reply.getNodes(1).getSilence()).isNotEmpty();
            assertThat(reply.getNodes(1).getWorkers(0).getPid()).isEqualTo(4711);
        }
    }

    @Test
    void run_askedBeforeItIsJoined_hasTheOthersOnceItIs() {
        Agent early = agents.open("a");
        agents.start("b");

        assertThat(early.plane.run().join().status().getNodesList())
                .extracting(NodeStatus::getNodeId, NodeStatus::getSilence)
                .containsExactly(tuple("a", ""), tuple("b", "the run's key is not known yet"));
        early.rejoin(1, false);

        awaitAll(early);
    }

    @Test
    void curves_oneDead_hasThoseOfTheOther() {
        for (String nodeId : new String[] {"a", "b", "c"}) {
            agents.start(nodeId);
        }
        Agent asked = agents.agent("a");
        awaitAll(asked);
        List<Neighbour> others = List.of(neighbour("b"), neighbour("c"));

        agents.agent("c").die();

        assertThat(asked.plane.curves(others).join())
                .containsOnlyKeys("b")
                .extractingByKey("b")
                .isEqualTo(agents.agent("b").curves());
    }

    private Neighbour neighbour(String nodeId) {
        return new Neighbour(nodeId, "127.0.0.1", agents.agent(nodeId).plane.port());
    }

    /** Until all have joined: nobody answers before. */
    private static void awaitAll(Agent asked) {
        await().atMost(LIMIT).until(() -> asked.plane.run().join().status().getNodesList().stream()
                .allMatch(node -> node.getSilence().isEmpty()));
    }

    private static void awaitOwn(Agent asked) {
        await().atMost(LIMIT).until(() -> asked.plane
                .run()
                .join()
                .status()
                .getNodes(0)
                .getSilence()
                .isEmpty());
    }
}
