/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import dev.elasticrun.worker.contract.ListenPlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** Agents that are only their control planes, in one process. */
public final class ControlFixture implements AutoCloseable {
    static final byte[] KEY = "the key of the run".getBytes(StandardCharsets.UTF_8);
    private static final RunIdentity RUN = new RunIdentity("run", "i", 3, KEY);

    private final Function<String, Optional<RunTls>> tls;
    private final Map<String, Agent> agents = Collections.synchronizedMap(new LinkedHashMap<>());
    /** What went wrong in a loop. */
    final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    /** One of them, and whose deaths it proved. */
    final class Agent implements ControlPeer {

        final String nodeId;
        final ThreadEventLoop loop;
        final ControlPlane plane;
        private final int port;
        final Queue<String> proved = new ConcurrentLinkedQueue<>();
        final Queue<String> speakers = new ConcurrentLinkedQueue<>();
        final Queue<String> received = new ConcurrentLinkedQueue<>();
        final Queue<Refusals.Refusal> refused = new ConcurrentLinkedQueue<>();
        private final Refusals refusals = new Refusals(System::nanoTime, refused::add);

        /** Whether it is asked in vain what its workers do. */
        volatile boolean silent;

        private Agent(String nodeId) {
            this.nodeId = nodeId;
            loop = new ThreadEventLoop("loop-" + nodeId, errors::add);
            plane = ControlPlane.start(nodeId, loop, this, ListenPlace.LOOPBACK, tls.apply(nodeId), refusals);
            port = plane.port();
        }

        void rejoin(long createRevision, boolean leaseOnly) {
            NodeLife life = new NodeLife(nodeId, "127.0.0.1", plane.port(), createRevision, createRevision, leaseOnly);
            loop.execute(() -> plane.joined(RUN, life));
        }

        private NodeRecord record() {
            return NodeRecords.of(
                    nodeId, nodeId, "127.0.0.1", port, 1, NodePhase.ACTIVE, List.of(new WorkerRecord(0, 0, 4711, 0)));
        }

        /** As if its process were gone: no goodbye, no listener. */
        void die() {
            loop.close();
            plane.close();
        }

        void leave() {
            CompletableFuture<Void> stated = new CompletableFuture<>();
            loop.execute(() -> {
                plane.sendGoodbye("leaves");
                stated.complete(null);
            });
            stated.join();
        }

        @Override
        public CompletableFuture<NodeReply> nodeStatus() {
            return silent
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(NodeReply.newBuilder()
                            .setNodeId(nodeId)
                            .setWaitingFor("waits")
                            .setRoundAgeMillis(7)
                            .build());
        }

        @Override
        public NodeCurves curves() {
            return NodeCurves.newBuilder().setNowMillis(port).build();
        }

        @Override
        public CompletableFuture<RunDescription> describe() {
            return CompletableFuture.completedFuture(new RunDescription(
                    "run",
                    "i",
                    RunSpecs.terms(1, 1, "soft", 3),
                    agents.values().stream().map(Agent::record).toList(),
                    null,
                    nodeId));
        }

        @Override
        public void receive(String speaker, byte[] record) {
            speakers.add(speaker);
            received.add(new String(record, StandardCharsets.UTF_8));
        }

        @Override
        public void proveDead(NodeLife dead, String evidence) {
            proved.add(dead.nodeId());
        }
    }

    ControlFixture() {
        this(nodeId -> Optional.empty());
    }

    /** @param tls by nodeId */
    ControlFixture(Function<String, Optional<RunTls>> tls) {
        this.tls = tls;
    }

    Agent start(String nodeId) {
        return start(nodeId, false);
    }

    Agent start(String nodeId, boolean leaseOnly) {
        Agent agent = open(nodeId);
        agent.rejoin(nodeId.hashCode(), leaseOnly);
        return agent;
    }

    /** It has not joined the run yet. */
    Agent open(String nodeId) {
        Agent agent = new Agent(nodeId);
        agents.put(nodeId, agent);
        return agent;
    }

    Agent agent(String nodeId) {
        Agent found = agents.get(nodeId);
        if (found == null) {
            throw new IllegalArgumentException(nodeId);
        }
        return found;
    }

    /** All receive this round and this coordinator. */
    void form(String coordinator, String... members) {
        List<Participant> participants = new ArrayList<>();
        for (String member : members) {
            participants.add(participant(member, agent(member).plane.port(), participants.size()));
        }
        Neighbour held = neighbour(coordinator, agent(coordinator).plane.port());
        for (Agent agent : agents.values()) {
            agent.loop.execute(() -> {
                agent.plane.coordinator(agent.nodeId.equals(coordinator) ? null : held);
                agent.plane.ring(participants);
            });
        }
    }

    /** Who is at the other ends of this agent's connections. */
    List<NodeLife> held(String nodeId) {
        Agent agent = agent(nodeId);
        CompletableFuture<List<NodeLife>> held = new CompletableFuture<>();
        agent.loop.execute(() -> held.complete(agent.plane.held()));
        return held.join();
    }

    @Override
    public void close() {
        agents.values().forEach(Agent::die);
    }

    public static List<Participant> ring(String... members) {
        List<Participant> participants = new ArrayList<>();
        for (String member : members) {
            participants.add(participant(member, 9000, participants.size()));
        }
        return participants;
    }

    public static Neighbour neighbour(String nodeId, int controlPort) {
        return new Neighbour(nodeId, "127.0.0.1", controlPort);
    }

    private static Participant participant(String nodeId, int controlPort, int rank) {
        NodeSpec spec = new NodeSpec(nodeId, nodeId, "127.0.0.1", controlPort, "default", 1);
        return new Participant(spec, 1, 0, rank, List.of(new Participant.Seat(0, 0, 0)));
    }
}
