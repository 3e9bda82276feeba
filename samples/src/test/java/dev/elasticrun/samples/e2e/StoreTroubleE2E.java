/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.EtcdUpkeep;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An etcd in trouble under two agents at work. */
@Tag("slow")
@Timeout(180)
final class StoreTroubleE2E {
    private static final Duration LEASE = Duration.ofSeconds(5);
    /** With the start of an etcd an outage that a lease outlives. */
    private static final Duration SHORTER = LEASE.dividedBy(3);

    /** On top of what the timers bound: the machine is shared. */
    private static final Duration MARGIN = Duration.ofSeconds(3);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void restart_withinTheLeaseAndBeyond_isInvisibleThenPausesInPlaceInTheSameRound() {
        try (EtcdProcess etcd = etcd("--heartbeat-interval=50", "--election-timeout=300")) {
            AgentProcess first = agent(etcd);
            AgentProcess second = agent(etcd);
            long round = run.awaitTogether(2, first, second);

            etcd.kill();
            Patience.pause(SHORTER);
            etcd.restart();
            Patience.pause(LEASE);
            assertThat(first.log().all("node.fenced")).isEmpty();
            assertThat(second.log().all("node.fenced")).isEmpty();

            etcd.kill();
            for (AgentProcess agent : List.of(first, second)) {
                agent.await("fence", TestRun.LIMIT, log -> !log.all("incident.paused")
                        .isEmpty());
            }
            int reached = run.lastStep();
            Patience.pause(LEASE);
            assertThat(run.lastStep()).isLessThanOrEqualTo(reached + 1);
            etcd.restart();
            for (AgentProcess agent : List.of(first, second)) {
                agent.await(
                        "work again",
                        TestRun.LIMIT,
                        log -> log.all("work.published").size() == 2);
            }
            run.hurryUp();

            for (AgentProcess agent : List.of(first, second)) {
                assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
                assertThat(agent.log().everStarted()).hasSize(1);
                assertThat(agent.log().all("node.lost")).isEmpty();
                assertThat(agent.log().all("work.published"))
                        .extracting(LoggedEvent::round)
                        .containsExactly(round, round);
                assertThat(agent.log().all(RunEvent.StoreTrouble.class)).isNotEmpty();
            }
            assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                    .isGreaterThanOrEqualTo(0.95));
        }
    }

    @Test
    void etcd_wiped_endsEveryAgentWithFiveAndStaysEmpty() {
        try (EtcdProcess etcd = etcd()) {
            AgentProcess first = agent(etcd);
            AgentProcess second = agent(etcd);
            run.awaitTogether(2, first, second);

            etcd.wipe();

            for (AgentProcess agent : List.of(first, second)) {
                assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(5);
                assertThat(end(agent)).contains(etcd.endpoint()).doesNotContain("--store-timeout");
            }
            assertThat(etcd.ctl("get", "--prefix", "--keys-only", "/elastic-run/"))
                    .isBlank();
        }
    }

    @Test
    void etcd_goneForTheStoreTimeout_endsWithFiveAtThatTime() {
        Duration timeout = Duration.ofSeconds(5);
        try (EtcdProcess etcd = etcd()) {
            AgentProcess agent = agent(etcd, "--nnodes", "1", "--store-timeout", "5s", "--lease-ttl", "3s");
            run.awaitTogether(1, agent);

            long gone = System.nanoTime();
            etcd.kill();

            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(5);
            assertThat(Duration.ofNanos(System.nanoTime() - gone))
                    .isBetween(timeout.minus(Duration.ofSeconds(1)), timeout.plus(MARGIN));
            assertThat(end(agent)).contains(etcd.endpoint(), "--store-timeout is 5 s");
        }
    }

    @Test
    void etcd_full_letsARoundWorkAndAChangeWaitForSpace() {
        try (EtcdProcess etcd = etcd("--quota-backend-bytes=2000000")) {
            AgentProcess first = agent(etcd);
            AgentProcess second = agent(etcd);
            long round = run.awaitTogether(2, first, second);
            EtcdUpkeep.fill(etcd);
            int reached = run.lastStep();
            run.awaitStep(reached + 20);
            assertThat(first.log().all("store.trouble")).isEmpty();

            first.worker(first.log().running().get(0).pid()).destroyForcibly();
            RunEvent.StoreTrouble full = first.await(RunEvent.StoreTrouble.class);
            assertThat(full.message()).contains("etcdctl alarm disarm");
            EtcdUpkeep.makeSpace(etcd);

            run.awaitTogether(round, 2, first, second);
            run.hurryUp();
            for (AgentProcess agent : List.of(first, second)) {
                assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
                assertThat(agent.log().all("node.fenced")).isEmpty();
            }
            assertThat(first.log().all("store.well")).hasSize(1);
            assertThat(second.log().everStarted()).hasSize(1);
        }
    }

    private static String end(AgentProcess agent) {
        return agent.log().all(RunEvent.AgentEnded.class).get(0).reason();
    }

    private EtcdProcess etcd(String... options) {
        return EtcdProcess.start(run.directory().resolve("etcd"), options);
    }

    private AgentProcess agent(EtcdProcess etcd, String... more) {
        List<String> options = new ArrayList<>(List.of(
                "--rdzv-endpoint",
                etcd.endpoint(),
                "--run-id",
                run.id(),
                "--nnodes",
                "1:2",
                "--restart-policy",
                "soft",
                "--lease-ttl",
                LEASE.toSeconds() + "s",
                "--last-call-timeout",
                "60s"));
        options.addAll(List.of(more));
        return run.agent(options, run.training(1500));
    }
}
