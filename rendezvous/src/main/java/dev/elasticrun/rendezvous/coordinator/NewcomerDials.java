/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Dials the workers of nodes that could be put into a round and are in none. Until that is known a node is not ready;
 * one that cannot be dialled is left out, and tried again. A worker group is dialled until it answers once. Owned by the
 * loop.
 */
public final class NewcomerDials {
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);
    // While dials are pending, the answers of the others are collected and reported together.
    private static final Duration COLLECT = Duration.ofMillis(20);

    private final EventLoop loop;
    private final WorkerDialer dialer;
    private final String ownNodeId;
    private final Runnable onChange;
    private final Map<String, Dial> dials = new HashMap<>();
    private int pending;
    private boolean isReported = true;
    private boolean closed;

    /** @param onChange called in the loop when {@link #ready} may return something else */
    public NewcomerDials(EventLoop loop, WorkerDialer dialer, String ownNodeId, Runnable onChange) {
        this.loop = loop;
        this.dialer = dialer;
        this.ownNodeId = ownNodeId;
        this.onChange = onChange;
    }

    // The target of a dial: another registration of the node, or other listeners, are another target.
    private record Listeners(long createRevision, String address, List<Integer> ports) {}

    private static final class Dial {
        private final Listeners target;
        private Duration retry = FIRST_RETRY;
        private boolean reached;
        private String error = "";

        Dial(Listeners target) {
            this.target = target;
        }
    }

    /**
     * The live nodes as far as they count: those that are being dialled as not ready, those that cannot be dialled not at
     * all. Begins to dial those that were not seen before.
     */
    List<Node> ready(List<Node> live, @Nullable Round round) {
        loop.assertInLoop();
        Set<String> known = new HashSet<>();
        List<Node> counted = new ArrayList<>();
        for (Node node : live) {
            if (!isNewcomer(node, round)) {
                counted.add(node);
                continue;
            }
            known.add(node.nodeId());
            Listeners target = target(node);
            Dial dial = dials.get(node.nodeId());
            if (dial == null || !dial.target.equals(target)) {
                dial = new Dial(target);
                dials.put(node.nodeId(), dial);
                begin(node.nodeId(), dial);
            }
            if (dial.reached) {
                counted.add(node);
            } else if (dial.error.isEmpty()) {
                counted.add(node.notDialled());
            }
        }
        dials.keySet().retainAll(known);
        return counted;
    }

    /** Which nodes cannot be dialled and why, to be added to a reason; empty when there is none. */
    String complaint() {
        String unreachable = dials.entrySet().stream()
                .filter(entry -> !entry.getValue().error.isEmpty())
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + " at " + entry.getValue().error)
                .collect(Collectors.joining(", "));
        return unreachable.isEmpty() ? "" : "; standing by until they can be dialled: " + unreachable;
    }

    /** Whether answers are on their way. */
    boolean pending() {
        return pending > 0;
    }

    void close() {
        closed = true;
        dials.clear();
    }

    private boolean isNewcomer(Node node, @Nullable Round round) {
        boolean admissible = node.phase() == NodePhase.READY || node.phase() == NodePhase.STANDBY;
        return admissible
                && !node.isIn(round)
                && !node.nodeId().equals(ownNodeId)
                && !target(node).ports().isEmpty();
    }

    private static Listeners target(Node node) {
        return new Listeners(
                node.createRevision(),
                node.record().spec().address(),
                node.record().group().workers().stream()
                        .map(WorkerRecord::port)
                        .filter(port -> port > 0)
                        .toList());
    }

    private void begin(String nodeId, Dial dial) {
        if (closed || dials.get(nodeId) != dial) {
            return;
        }
        pending++;
        List<CompletableFuture<String>> answers = dial.target.ports().stream()
                .map(port -> dialer.dial(dial.target.address(), port))
                .toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenRun(() -> loop.execute(() -> answered(
                        nodeId,
                        dial,
                        answers.stream()
                                .map(CompletableFuture::join)
                                .filter(error -> !error.isEmpty())
                                .findFirst()
                                .orElse(""))));
    }

    private void answered(String nodeId, Dial dial, String error) {
        pending--;
        if (closed) {
            return;
        }
        dial.reached = error.isEmpty();
        dial.error = error;
        if (!dial.reached) {
            loop.schedule(dial.retry, () -> begin(nodeId, dial));
            Duration longer = dial.retry.multipliedBy(2);
            dial.retry = longer.compareTo(LAST_RETRY) < 0 ? longer : LAST_RETRY;
        }
        if (pending == 0) {
            isReported = true;
            onChange.run();
        } else if (isReported) {
            isReported = false;
            loop.schedule(COLLECT, this::reportTogether);
        }
    }

    private void reportTogether() {
        if (!isReported && !closed) {
            isReported = true;
            onChange.run();
        }
    }
}
