/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.store.EtcdCluster;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.EtcdUpkeep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the nodes of a run do when a real etcd is gone for good, is another one, is full, or loses a member. */
@Tag("once")
@Timeout(60)
final class StoreLossIT {
    private static final Duration LEASE = RendezvousNode.LEASE;
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    @TempDir
    Path directory;

    private static final String LOST = "store lost: ";

    private final String runId = UUID.randomUUID().toString();

    /** Not one that is silent for too long. */
    private static void assertReplaced(RendezvousNodes nodes, EtcdProcess etcd) {
        nodes.awaitReported(LOST);
        assertThat(nodes.reported()).allSatisfy(reported -> assertThat(reported)
                .filteredOn(line -> line.startsWith(LOST))
                .singleElement()
                .asString()
                .contains(etcd.endpoint())
                .doesNotContain("--store-timeout"));
    }

    @Test
    void etcd_wiped_isAnotherStore() {
        try (EtcdProcess etcd = etcd();
                RendezvousNodes nodes = nodes(etcd)) {
            etcd.wipe();

            assertReplaced(nodes, etcd);
            assertThat(etcd.ctl("get", "--prefix", "/elastic-run/")).isEmpty();
        }
    }

    @Test
    void etcd_restoredFromAnOlderCopy_isAnotherStore() {
        try (EtcdProcess etcd = etcd()) {
            etcd.keepCopy();
            try (RendezvousNodes nodes = nodes(etcd)) {
                etcd.restoreCopy();

                assertReplaced(nodes, etcd);
            }
        }
    }

    @Test
    void etcd_goneForLongerThanTheStoreTimeout_isLostAtThatTime() {
        try (EtcdProcess etcd = etcd();
                RendezvousNodes nodes = nodes(etcd)) {
            long goneNanos = System.nanoTime();
            etcd.kill();
            nodes.awaitReported(LOST);
            assertThat(Duration.ofNanos(System.nanoTime() - goneNanos))
                    .isBetween(TIMEOUT.minus(LEASE.dividedBy(2)), TIMEOUT.plusSeconds(1));
        }
    }

    /** So that they end when nobody is left; nodes and coordinator have leases of their own. */
    @Test
    void run_keysOfNoNode_areBoundToALeaseOfADay() {
        try (EtcdProcess etcd = etcd();
                RendezvousNodes nodes = nodes(etcd)) {
            nodes.node(0).awaitReported("round 1");
            List<String> days = etcd.ctl("lease", "list")
                    .lines()
                    .filter(line -> line.matches("[0-9a-f]+"))
                    .map(id -> etcd.ctl("lease", "timetolive", id, "--keys"))
                    .filter(lease -> lease.contains("TTL(86400s)"))
                    .toList();

            assertThat(days).singleElement().asString().contains("/spec", "/admission", "/round", "/incidents/");
        }
    }

    @Test
    void etcd_full_isReportedWhenAWriteIsWantedAndIsWellAgainWithoutRestart() {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"), "--quota-backend-bytes=2000000");
                RendezvousNodes nodes = RendezvousNodes.start(runId, 2, List.of(etcd.endpoint()))) {
            nodes.assertReportsNothingWhile("full", () -> {
                EtcdUpkeep.fill(etcd);
                RendezvousNodes.pause(LEASE);
            });
            nodes.node(0).changeRecord();
            nodes.node(0).awaitReported("trouble: ");
            assertThat(nodes.node(0).reported()).last().asString().contains("etcdctl alarm disarm");
            RendezvousNodes.pause(LEASE);

            EtcdUpkeep.makeSpace(etcd);

            nodes.node(0).awaitReported("well: ");
            assertThat(nodes.reported())
                    .allSatisfy(reported -> assertThat(reported).doesNotContain("fenced", "lost"));
        }
    }

    @Test
    void etcd_fullForLongerThanTheStoreTimeout_isLostForWhoeverWantsToWrite() {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"), "--quota-backend-bytes=2000000");
                RendezvousNodes nodes = RendezvousNodes.start(runId, 2, TIMEOUT, List.of(etcd.endpoint()))) {
            EtcdUpkeep.fill(etcd);
            nodes.node(0).changeRecord();

            nodes.node(0).awaitReported(LOST);
            assertThat(nodes.node(0).reported()).last().asString().contains("--store-timeout is 4 s", "etcd at");
            assertThat(nodes.node(1).reported()).noneMatch(line -> line.startsWith(LOST));
        }
    }

    @Test
    void records_corrupt_endTheRunNamingKeyAndSize() {
        try (EtcdProcess etcd = etcd();
                RendezvousNodes nodes = nodes(etcd)) {
            etcd.ctl("put", "/elastic-run/v1/" + runId + "/nodes/zombie", "no record");

            nodes.awaitReported(
                    "verdict 5: corrupt record: /elastic-run/v1/" + runId + "/nodes/zombie of 9 bytes, written at");
        }
    }

    @Test
    void round_corrupt_isAnErrorOfEveryNode() {
        try (EtcdProcess etcd = etcd();
                RendezvousNodes nodes = nodes(etcd)) {
            etcd.ctl("put", "/elastic-run/v1/" + runId + "/round", "no record");

            for (int i = 0; i < 2; i++) {
                RendezvousNode node = nodes.node(i);
                RendezvousNodes.until(() -> node.wasReported("error: "
                        + CorruptRecordException.class.getName() + ": corrupt record: /elastic-run/v1/" + runId
                        + "/round of 9 bytes"));
            }
        }
    }

    @Test
    void member_stuck_isInvisibleToItsClients() {
        try (EtcdCluster cluster = EtcdCluster.start(directory)) {
            int follower = (cluster.leader() + 1) % 3;
            List<String> endpoints = List.of(
                    cluster.endpoints().get(follower),
                    cluster.endpoints().get((follower + 1) % 3),
                    cluster.endpoints().get((follower + 2) % 3));
            try (RendezvousNodes nodes = RendezvousNodes.start(runId, 2, endpoints)) {
                nodes.assertReportsNothingWhile("stuck member", () -> {
                    cluster.member(follower).pause();
                    RendezvousNodes.pause(LEASE);
                });
            }
        }
    }

    @Test
    void leader_killed_costsNoRound() {
        try (EtcdCluster cluster = EtcdCluster.start(directory);
                RendezvousNodes nodes = RendezvousNodes.start(runId, 2, cluster.endpoints())) {
            cluster.member(cluster.leader()).kill();
            RendezvousNodes.pause(LEASE.multipliedBy(2));

            assertThat(nodes.reported()).allSatisfy(reported -> {
                assertThat(reported).doesNotContain("lost");
                assertThat(reported)
                        .filteredOn(line -> line.startsWith("round"))
                        .hasSize(1);
            });
        }
    }

    private EtcdProcess etcd() {
        return EtcdProcess.start(directory.resolve("etcd"));
    }

    private RendezvousNodes nodes(EtcdProcess etcd) {
        return RendezvousNodes.start(runId, 2, TIMEOUT, List.of(etcd.endpoint()));
    }
}
