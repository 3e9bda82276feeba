/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.proto.NodeCurves;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** Reads what the workers of other nodes did until now. Safe for use by any thread. */
final class CurveSurvey {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final NodeCalls calls;
    private final Supplier<byte[]> runKey;

    CurveSurvey(NodeCalls calls, Supplier<byte[]> runKey) {
        this.calls = calls;
        this.runKey = runKey;
    }

    /** By node; completes within the limit, without those that do not answer or are of a version without curves. */
    CompletableFuture<Map<String, NodeCurves>> take(Collection<Neighbour> nodes) {
        Map<String, NodeCurves> found = new ConcurrentSkipListMap<>();
        return CompletableFuture.allOf(nodes.stream()
                        .map(node -> calls.curves(node, runKey.get(), LIMIT)
                                .thenAccept(curves -> found.put(node.nodeId(), curves))
                                .exceptionally(silent -> null))
                        .toArray(CompletableFuture[]::new))
                .thenApply(done -> found);
    }
}
