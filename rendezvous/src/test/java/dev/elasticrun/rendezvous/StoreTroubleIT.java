/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.EtcdUpkeep;
import dev.elasticrun.rendezvous.store.StoreRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the nodes of a run see of a real etcd that is away, frozen, slow or silent in one direction. */
@Tag("slow")
@Timeout(60)
final class StoreTroubleIT {
    private static final Duration LEASE = RendezvousNode.LEASE;
    /** In which etcd starts again also where processors are short. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(5);

    private static final Duration SHORTER = LONG_LEASE.dividedBy(2);
    private static final Duration LONGER = LEASE.multipliedBy(3).dividedBy(2);

    @TempDir
    Path directory;

    private final String runId = UUID.randomUUID().toString();
    private EtcdProcess etcd;

    @BeforeEach
    void start() {
        // An election is what a restart takes longest for.
        etcd = EtcdProcess.start(directory.resolve("etcd"), "--heartbeat-interval=50", "--election-timeout=300");
    }

    @AfterEach
    void stop() {
        etcd.close();
    }

    @Test
    void troubles_shorterThanTheLease_areInvisible() throws IOException {
        try (StoreRelay relay = StoreRelay.to(etcd.endpoint());
                RendezvousNodes nodes =
                        RendezvousNodes.start(runId, 3, LONG_LEASE, Duration.ofMinutes(1), List.of(relay.endpoint()))) {
            nodes.assertReportsNothingWhile("restart", () -> {
                etcd.kill();
                RendezvousNodes.pause(LONG_LEASE.dividedBy(3));
                etcd.restart();
            });
            nodes.assertReportsNothingWhile("freeze", () -> {
                etcd.pause();
                RendezvousNodes.pause(SHORTER);
                etcd.resume();
            });
            nodes.assertReportsNothingWhile("requests lost", () -> {
                relay.holdRequests(true);
                RendezvousNodes.pause(SHORTER);
                relay.holdRequests(false);
            });
            nodes.assertReportsNothingWhile("answers lost", () -> {
                relay.holdAnswers(true);
                RendezvousNodes.pause(SHORTER);
                relay.holdAnswers(false);
            });
            nodes.assertReportsNothingWhile("answers slow", () -> {
                relay.delayAnswers(Duration.ofMillis(500));
                RendezvousNodes.pause(LONG_LEASE);
            });
        }
    }

    @Test
    void restart_afterTheLease_fencesThenRestoresTheSameLifeInTheSameRound() {
        try (RendezvousNodes nodes = nodes()) {
            etcd.kill();
            nodes.awaitReported("fenced");
            nodes.awaitReported("trouble: ");
            RendezvousNodes.pause(LEASE);
            etcd.restart();
            nodes.awaitReported("restored");
            nodes.awaitReported("well: ");
            RendezvousNodes.pause(LEASE);

            assertThat(nodes.reported()).allSatisfy(reported -> {
                assertThat(reported)
                        .doesNotContain("lost")
                        .filteredOn("joined"::equals)
                        .hasSize(1);
                assertThat(reported)
                        .filteredOn(line -> line.startsWith("round"))
                        .hasSize(1);
            });
        }
    }

    @Test
    void freeze_longerThanTheLease_losesAllMembersAndBringsThemBack() {
        try (RendezvousNodes nodes = nodes()) {
            etcd.pause();
            RendezvousNodes.pause(LONGER);
            etcd.resume();
            // One round if all are back before the coordinator looks, two if one is late.
            nodes.awaitRound(2, 3);

            assertThat(nodes.reported())
                    .allSatisfy(reported -> assertThat(reported).contains("fenced", "lost"));
        }
    }

    @Test
    void compaction_underWatches_losesNothing() {
        try (RendezvousNodes nodes = nodes()) {
            for (int i = 0; i < 20; i++) {
                nodes.node(0).changeRecord();
            }
            etcd.kill();
            etcd.restart();
            EtcdUpkeep.compact(etcd);
            nodes.node(2).close();
            nodes.node(0).awaitReported("round 2 of [n0, n1]");
            nodes.node(1).awaitReported("round 2 of [n0, n1]");
        }
    }

    @Test
    void oneWay_answersLostBeyondTheLease_costsOneRoundAwayAndOneBack() throws IOException {
        try (StoreRelay relay = StoreRelay.to(etcd.endpoint());
                RendezvousNode reached = node("reached", endpoints());
                RendezvousNode cut = node("cut", List.of(relay.endpoint()))) {
            reached.awaitReported("round 1 of");
            cut.awaitReported("round 1 of");
            relay.holdAnswers(true);
            cut.awaitReported("fenced");
            // Its renewals arrive and hold the lease: until its connection is given up it keeps its place.
            relay.holdRequests(true);
            reached.awaitReported("round 2 of [reached]");
            relay.holdAnswers(false);
            relay.holdRequests(false);
            reached.awaitReported("round 3 of");
            cut.awaitReported("round 3 of");
            RendezvousNodes.pause(LEASE);

            assertThat(reached.wasReported("round 4")).isFalse();
            assertThat(reached.wasReported("fenced")).isFalse();
        }
    }

    private RendezvousNodes nodes() {
        return RendezvousNodes.start(runId, 3, endpoints());
    }

    private RendezvousNode node(String nodeId, List<String> endpoints) {
        return new RendezvousNode(runId, nodeId, 2, LEASE, Duration.ofMinutes(1), endpoints);
    }

    private List<String> endpoints() {
        return List.of(etcd.endpoint());
    }
}
