/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.control.RunStatus;
import dev.elasticrun.agent.http.CurvePicture;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.proto.Curve;
import dev.elasticrun.proto.NodeCurves;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the workers of all live nodes did until now, for the page. Safe for use by any thread. */
public final class RunCurves {
    private static final int DIGITS = 5;

    private final String nodeId;
    private final Supplier<NodeCurves> own;
    private final Supplier<Optional<RunStatus>> run;
    private final RecentRun<Map<String, NodeCurves>> others;

    /** Where other nodes' curves come from. */
    @FunctionalInterface
    public interface Agents {
        /** As {@link dev.elasticrun.agent.control.ControlPlane#curves}. */
        CompletableFuture<Map<String, NodeCurves>> curves(Collection<Neighbour> nodes);
    }

    /**
     * @param own of this node
     * @param run what all agents report; may block for a moment
     */
    public RunCurves(
            String nodeId,
            Supplier<NodeCurves> own,
            Agents agents,
            Supplier<Optional<RunStatus>> run,
            LongSupplier nanoTime) {
        this.nodeId = nodeId;
        this.own = own;
        this.run = run;
        this.others = new RecentRun<>(() -> agents.curves(neighbours()), nanoTime);
    }

    private List<Neighbour> neighbours() {
        return run.get().stream()
                .flatMap(known -> known.status().getNodesList().stream())
                .filter(node ->
                        !node.getNodeId().equals(nodeId) && node.getSilence().isEmpty())
                .map(node -> new Neighbour(node.getNodeId(), node.getAddress(), node.getControlPort()))
                .toList();
    }

    /** Times are those of this agent's clock. */
    CurvePicture picture() {
        Map<String, NodeCurves> all = new LinkedHashMap<>();
        NodeCurves here = own.get();
        all.put(nodeId, here);
        others.get().ifPresent(all::putAll);
        List<CurvePicture.Node> nodes = new ArrayList<>();
        all.forEach((node, curves) -> nodes.add(node(node, curves, here.getNowMillis() - curves.getNowMillis())));
        return new CurvePicture(here.getNowMillis(), here.getMillisList(), curves(here.getRunList()), nodes);
    }

    private static CurvePicture.Node node(String node, NodeCurves curves, long shift) {
        return new CurvePicture.Node(
                node,
                curves.getMillisList().stream().map(millis -> millis + shift).toList(),
                curves.getWorkersList().stream()
                        .map(worker -> new CurvePicture.Worker(
                                worker.getSlot(), worker.getRanksList(), curves(worker.getCurvesList())))
                        .toList());
    }

    private static Map<String, List<@Nullable Double>> curves(List<Curve> curves) {
        Map<String, List<@Nullable Double>> named = new LinkedHashMap<>();
        curves.forEach(curve -> {
            List<@Nullable Double> values = new ArrayList<>();
            curve.getValuesList().forEach(value -> values.add(rounded(value)));
            named.put(curve.getName(), values);
        });
        return named;
    }

    /** More digits than a picture shows would only be sent. */
    static @Nullable Double rounded(float value) {
        if (!Float.isFinite(value)) {
            return null;
        }
        int digits = value == 0 ? 0 : DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
        double scale = Math.pow(10, Math.abs(digits));
        // Divided by a power of ten, not multiplied with a part of one: the result has no digits of rounding.
        return digits >= 0 ? Math.rint(value * scale) / scale : Math.rint(value / scale) * scale;
    }
}
