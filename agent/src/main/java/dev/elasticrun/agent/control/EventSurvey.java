/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.proto.EventsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Asks other agents for what happened since they were asked last. Safe for use by any thread. */
final class EventSurvey {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    // Limit of all answers together until they are read.
    private static final int MAX_BYTES = 1 << 24;

    private final NodeCalls calls;
    private final Supplier<byte[]> runKey;

    EventSurvey(NodeCalls calls, Supplier<byte[]> runKey) {
        this.calls = calls;
        this.runKey = runKey;
    }

    /** Reads from each agent its own lines, without the first {@code known} bytes. Omits agents that do not answer. */
    CompletableFuture<List<EventPart>> own(Collection<Neighbour> nodes, Map<String, Long> known) {
        return all(nodes.stream()
                .map(node -> ask(
                        node,
                        EventsRequest.newBuilder()
                                .setFrom(known.getOrDefault(node.nodeId(), 0L))
                                .build(),
                        MAX_BYTES / nodes.size()))
                .toList());
    }

    /** Reads events of departed nodes from agents that have their files; one node's may be there several times. */
    CompletableFuture<List<EventPart>> gone(Collection<Neighbour> nodes, Set<String> except) {
        EventsRequest request =
                EventsRequest.newBuilder().setOthers(true).addAllExcept(except).build();
        return all(nodes.stream()
                .map(node -> ask(node, request, MAX_BYTES / 16 / nodes.size()))
                .toList());
    }

    private CompletableFuture<List<EventPart>> ask(Neighbour node, EventsRequest request, int newestBytes) {
        return calls.events(node, runKey.get(), request, LIMIT, newestBytes).exceptionally(silent -> List.of());
    }

    private static CompletableFuture<List<EventPart>> all(List<CompletableFuture<List<EventPart>>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<EventPart> parts = new ArrayList<>();
                    answers.forEach(answer -> parts.addAll(answer.join()));
                    return parts;
                });
    }
}
