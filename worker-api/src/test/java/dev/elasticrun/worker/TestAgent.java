/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The agent's side of one worker's channel, written by hand from the description of the format. */
final class TestAgent implements AutoCloseable {
    final ChannelLayout layout;
    final Head head;
    private long seq;

    TestAgent(Path node, int slot) throws IOException {
        layout = ChannelLayout.of(node, slot, 0);
        Files.createDirectories(layout.events());
        Files.createDirectories(layout.up());
        Files.createDirectories(layout.checkpoints());
        Files.createDirectories(node.resolve("peers"));
        Files.write(layout.key(), "key".getBytes(StandardCharsets.US_ASCII));
        head = Head.create(layout.head());
    }

    /** Of the only worker of the run, which works in round 1. */
    static TestAgent ofOneWorker(Path node) throws IOException {
        TestAgent agent = new TestAgent(node, 0);
        agent.peers(1, 1);
        agent.work(1, 0, 1);
        return agent;
    }

    Map<String, String> environment() {
        return Map.of(WorkerEnv.CHANNEL_DIR, layout.channelDirectory().toString());
    }

    long pause(long round) throws IOException {
        return write(round, round, WorkerState.PAUSED, null);
    }

    long work(long round, int rank, int size) throws IOException {
        return work(round, round, rank, size);
    }

    /** In a world that can be that of earlier rounds. */
    long work(long round, long world, int rank, int size) throws IOException {
        WorkerInfo.Place place = new WorkerInfo.Place(rank, size);
        WorkerInfo info = new WorkerInfo(
                round,
                world,
                new WorkerInfo.Ranks(place, place, place, new WorkerInfo.Place(0, 1)),
                "default",
                new WorkerInfo.Master("127.0.0.1", 1),
                Map.of());
        return write(round, world, WorkerState.HEALTHY, info);
    }

    void peers(long round, int... ports) throws IOException {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < ports.length; rank++) {
            peers.add(new PeerTable.Peer(rank, "n", "127.0.0.1", ports[rank]));
        }
        Files.write(layout.peers(round), new PeerTable(round, peers).encode());
    }

    /** What the worker sent so far, in order. */
    List<UpMessage> up() {
        List<UpMessage> messages = new ArrayList<>();
        for (int at = 1; Files.exists(layout.up().resolve(at + ".json")); at++) {
            try {
                messages.add(
                        MessageCodec.decodeUp(Files.readAllBytes(layout.up().resolve(at + ".json"))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return messages;
    }

    <M extends UpMessage> List<M> up(Class<M> type) {
        return up().stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public void close() {
        head.close();
    }

    private long write(long round, long world, WorkerState state, @Nullable WorkerInfo info) throws IOException {
        seq++;
        WorkerEvent event = new WorkerEvent(
                seq,
                Instant.EPOCH,
                new WorkerEvent.RoundId("run", "i1", round, world),
                new WorkerEvent.Change(state, null, state == WorkerState.PAUSED ? PauseKind.CHANGE : null, "test"),
                info,
                0);
        Path temporary = layout.events().resolve(seq + ".tmp");
        Files.write(temporary, MessageCodec.encode(event));
        Files.move(temporary, layout.event(seq), StandardCopyOption.ATOMIC_MOVE);
        head.publish(round, seq, state);
        return seq;
    }
}
