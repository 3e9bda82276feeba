/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.proto.NodeCurves;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
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
        CompletableFuture<Map<String, NodeCurves>> all = CompletableFuture.completedFuture(Map.of());
        for (Neighbour node : nodes) {
            CompletableFuture<Optional<NodeCurves>> one = calls.curves(node, runKey.get(), LIMIT)
                    .handle((reply, error) ->
                            reply == null || !reply.getNodeId().equals(node.nodeId())
                                    ? Optional.empty()
                                    : Optional.of(reply.getCurves()));
            all = all.thenCombine(one, (known, found) -> with(known, node.nodeId(), found));
        }
        return all;
    }

    private static Map<String, NodeCurves> with(
            Map<String, NodeCurves> known, String node, Optional<NodeCurves> found) {
        Map<String, NodeCurves> both = new TreeMap<>(known);
        found.ifPresent(curves -> both.put(node, curves));
        return both;
    }
}
