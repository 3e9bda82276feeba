/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.ControlPlane;
import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import dev.elasticrun.worker.contract.ListenPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** An agent that is only its control service: what it reports of the store and of its workers is made up. */
final class StatusPeer implements ControlPeer, AutoCloseable {
    static final byte[] KEY = "the key of this run".getBytes(StandardCharsets.US_ASCII);
    static final int WORKERS = 8;

    private final String nodeId;
    private final Supplier<List<NodeRecord>> run;
    private final boolean silent;
    private final ControlPlane plane;

    /**
     * Serves at once.
     *
     * @param run all nodes, as the store has them
     * @param silent whether it never answers what its workers do
     */
    StatusPeer(int index, ThreadEventLoop loop, Supplier<List<NodeRecord>> run, boolean silent) {
        this.nodeId = nodeId(index);
        this.run = run;
        this.silent = silent;
        this.plane = ControlPlane.start(
                nodeId,
                loop,
                this,
                ListenPlace.LOOPBACK,
                Optional.empty(),
                new Refusals(System::nanoTime, refusal -> {}));
        CompletableFuture<Void> joined = new CompletableFuture<>();
        loop.execute(() -> {
            plane.joined(
                    new RunIdentity("run", "incarnation", 3, KEY),
                    new NodeLife(nodeId, "127.0.0.1", plane.port(), index, index, false));
            joined.complete(null);
        });
        joined.join();
    }

    int port() {
        return plane.port();
    }

    @Override
    public void close() {
        plane.close();
    }

    @Override
    public CompletableFuture<NodeReply> nodeStatus() {
        if (silent) {
            return new CompletableFuture<>();
        }
        NodeReply.Builder reply = NodeReply.newBuilder().setNodeId(nodeId).setRoundAgeMillis(7);
        for (int slot = 0; slot < WORKERS; slot++) {
            reply.addWorkers(WorkerStatus.newBuilder()
                    .setSlot(slot)
                    .setPid(4711 + slot)
                    .setRank(slot)
                    .setState("working")
                    .setStep(1234)
                    .setTotal(5000)
                    .setStepsPerSecond(12.5)
                    .setVersion(41)
                    .setMemoryBytes(1L << 30)
                    .setStillMillis(80));
        }
        return CompletableFuture.completedFuture(reply.build());
    }

    @Override
    public CompletableFuture<RunDescription> describe() {
        List<NodeRecord> nodes = run.get();
        return CompletableFuture.completedFuture(new RunDescription(
                "run", "incarnation", RunSpecs.terms(1, nodes.size(), "soft", 3), nodes, null, nodeId));
    }

    private static String nodeId(int index) {
        return String.format(Locale.ROOT, "node-%04d", index);
    }

    static NodeRecord record(int index, int port) {
        return NodeRecords.of(nodeId(index), nodeId(index), "127.0.0.1", port, WORKERS, NodePhase.ACTIVE, List.of());
    }

    @Override
    public void receive(String speaker, byte[] record) {
        // Nobody coordinates.
    }

    @Override
    public void proveDead(NodeLife dead, String evidence) {
        // Nobody is held.
    }
}
