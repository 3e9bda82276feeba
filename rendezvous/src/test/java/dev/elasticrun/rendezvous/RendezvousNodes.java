/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;

/** The nodes of one run. */
final class RendezvousNodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<RendezvousNode> nodes = new ArrayList<>();

    private final Duration lease;

    private RendezvousNodes(Duration lease) {
        this.lease = lease;
    }

    /** Starts so many nodes and waits for the first round of all. */
    static RendezvousNodes start(String runId, int count, List<String> endpoints) {
        return start(runId, count, Duration.ofMinutes(1), endpoints);
    }

    static RendezvousNodes start(String runId, int count, Duration storeTimeout, List<String> endpoints) {
        return start(runId, count, RendezvousNode.LEASE, storeTimeout, endpoints);
    }

    static RendezvousNodes start(
            String runId, int count, Duration lease, Duration storeTimeout, List<String> endpoints) {
        RendezvousNodes started = new RendezvousNodes(lease);
        for (int i = 0; i < count; i++) {
            started.nodes.add(new RendezvousNode(runId, "n" + i, count, lease, storeTimeout, endpoints));
        }
        started.awaitRound(1, 1);
        return started;
    }

    RendezvousNode node(int index) {
        return nodes.get(index);
    }

    /** Until all know one and the same round in this range of numbers, and it has all of them. */
    void awaitRound(long least, long most) {
        try {
            until(() -> nodes.stream().map(RendezvousNode::round).distinct().count() == 1 && isOfAll(least));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no round of all from " + least + " on: " + reported(), e);
        }
        Round round = nodes.get(0).round();
        assertThat(round == null ? 0 : round.number()).isLessThanOrEqualTo(most);
    }

    private boolean isOfAll(long least) {
        Round round = nodes.get(0).round();
        return round != null
                && !round.suspended()
                && round.number() >= least
                && round.participants().size() == nodes.size();
    }

    void awaitReported(String start) {
        nodes.forEach(node -> node.awaitReported(start));
    }

    /** Shows that no node receives anything while something happens, and in half a lease after it. */
    void assertReportsNothingWhile(String what, Runnable change) {
        List<List<String>> before = reported();
        change.run();
        pause(lease.dividedBy(2));
        assertThat(reported()).as(what).isEqualTo(before);
    }

    List<List<String>> reported() {
        return nodes.stream().map(RendezvousNode::reported).toList();
    }

    static void pause(Duration time) {
        long endNanos = System.nanoTime() + time.toNanos();
        until(() -> System.nanoTime() - endNanos >= 0);
    }

    static void until(BooleanSupplier condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(condition::getAsBoolean);
    }

    @Override
    public void close() {
        nodes.forEach(RendezvousNode::close);
    }
}
