/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.ControlPlane;
import dev.elasticrun.agent.control.NodeLife;
import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.facts.Gauge;
import dev.elasticrun.agent.facts.NodeFacts;
import dev.elasticrun.agent.facts.WorkerFacts;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.RunVersion;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * How long the control service takes to tell of a run of many nodes: real services and connections, simulated workers and
 * store, all in this process.
 */
final class StatusBench {
    private static final byte[] KEY = "the key of this run".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int WORKERS = 8;
    private static final int LOOPS = 2;

    private StatusBench() {}

    static String run(int nodes, int repeats) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### Status of " + nodes + " nodes with " + WORKERS + " workers each, " + repeats + " times",
                "",
                "| nodes that do not answer | first ms | median ms | worst ms | named as silent |",
                "|---|---|---|---|---|"));
        for (int silent : new int[] {0, 3}) {
            lines.add(row(nodes, silent, repeats));
        }
        lines.add("");
        return String.join("\n", lines);
    }

    private static String row(int nodes, int silent, int repeats) {
        List<ThreadEventLoop> loops = IntStream.range(0, LOOPS)
                .mapToObj(i -> new ThreadEventLoop("agents-" + i, error -> System.out.println("loop: " + error)))
                .toList();
        List<Peer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                peers.add(new Peer(i, loops.get(i % LOOPS), peers, i > 0 && i <= silent));
            }
            double[] millis = new double[repeats];
            double first;
            long named;
            try (ControlClient client =
                    new ControlClient("127.0.0.1:" + peers.get(0).plane.port(), KEY, Optional.empty())) {
                long start = System.nanoTime();
                client.blocking(LIMIT).status(StatusRequest.getDefaultInstance());
                first = (System.nanoTime() - start) / 1e6;
                StatusReply reply = StatusReply.getDefaultInstance();
                for (int i = 0; i < repeats; i++) {
                    start = System.nanoTime();
                    reply = client.blocking(LIMIT).status(StatusRequest.getDefaultInstance());
                    millis[i] = (System.nanoTime() - start) / 1e6;
                }
                named = reply.getNodesList().stream()
                        .map(NodeStatus::getSilence)
                        .filter(why -> !why.isEmpty())
                        .count();
            }
            Distribution all = Distribution.of(millis);
            return String.format(
                    Locale.ROOT, "| %d | %.0f | %.0f | %.0f | %d |", silent, first, all.median(), all.worst(), named);
        } finally {
            peers.forEach(peer -> peer.plane.close());
            loops.forEach(ThreadEventLoop::close);
        }
    }

    /** An agent that is only its control service. */
    private static final class Peer implements ControlPeer {
        private final String nodeId;
        private final List<Peer> all;
        private final boolean silent;
        private final ControlPlane plane;
        private final int port;

        Peer(int index, ThreadEventLoop loop, List<Peer> all, boolean silent) {
            this.nodeId = String.format(Locale.ROOT, "node-%04d", index);
            this.all = all;
            this.silent = silent;
            this.plane = ControlPlane.start(
                    nodeId, loop, this, Optional.empty(), new Refusals(System::nanoTime, refusal -> {}));
            this.port = plane.port();
            CompletableFuture<Void> joined = new CompletableFuture<>();
            loop.execute(() -> {
                plane.joined(
                        new RunIdentity("run", "incarnation", 3, KEY),
                        new NodeLife(nodeId, "127.0.0.1", port, index, index, false));
                joined.complete(null);
            });
            joined.join();
        }

        @Override
        public CompletableFuture<NodeFacts> facts() {
            Gauge gauge = new Gauge(1234, 5000, 12.5, 41, 1L << 30, 80, "", false);
            return silent
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(new NodeFacts(
                            nodeId,
                            "",
                            7,
                            IntStream.range(0, WORKERS)
                                    .mapToObj(slot -> new WorkerFacts(
                                            slot, 0, 4711 + slot, slot, WorkerFacts.State.WORKING, gauge))
                                    .toList()));
        }

        @Override
        public CompletableFuture<RunDescription> describe() {
            return CompletableFuture.completedFuture(new RunDescription(
                    "run",
                    "incarnation",
                    "soft",
                    1,
                    all.size(),
                    3,
                    all.stream().map(Peer::record).toList(),
                    null,
                    nodeId));
        }

        private NodeRecord record() {
            return new NodeRecord(
                    nodeId,
                    nodeId,
                    "127.0.0.1",
                    port,
                    0,
                    WORKERS,
                    "default",
                    NodePhase.ACTIVE,
                    0,
                    0,
                    0,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    RunVersion.NONE,
                    0,
                    null,
                    "",
                    0);
        }

        @Override
        public void hear(byte[] record) {
            // Nobody coordinates.
        }

        @Override
        public void proveDead(NodeLife dead, String evidence) {
            // Nobody is held.
        }
    }
}
