/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One worker process, as far as its peers can tell: a data plane with its own channel. */
final class TestWorker implements AutoCloseable {
    static final byte[] KEY = "secret".getBytes(StandardCharsets.US_ASCII);
    static final String INCARNATION = "i1";

    final FakeControl control = new FakeControl();
    final DataPlane plane;
    final int port;
    private long seq;

    TestWorker(Path checkpoints) {
        this(checkpoints, KEY, Duration.ofSeconds(20));
    }

    TestWorker(Path checkpoints, byte[] key, Duration peerTimeout) {
        this(new SocketNetwork(), checkpoints, key, peerTimeout);
    }

    TestWorker(Network network, Path checkpoints) {
        this(network, checkpoints, KEY, Duration.ofSeconds(20));
    }

    private TestWorker(Network network, Path checkpoints, byte[] key, Duration peerTimeout) {
        plane = new DataPlane(network, control, checkpoints, peerTimeout);
        try {
            port = plane.open(0, key, INCARNATION);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Collective join(PeerTable table, int rank) {
        return join(table, rank, rank, 0);
    }

    Collective join(PeerTable table, int rank, int localRank, long highestVersion) {
        WorkerInfo info = new WorkerInfo(
                table.round(),
                table.round(),
                localRank,
                localRank + 1,
                rank,
                table.peers().size(),
                "default",
                rank,
                table.peers().size(),
                0,
                1,
                "127.0.0.1",
                1);
        WorkerEvent work = event(table.round(), WorkerState.HEALTHY, info, highestVersion);
        control.publish(work);
        return plane.join(work, table);
    }

    /** As the channel thread does it: the sockets first. */
    void pause(long round) {
        WorkerEvent pause = event(round, WorkerState.PAUSED, null, 0);
        plane.closeRounds(pause.seq());
        control.publish(pause);
    }

    /** As the end of the process looks to the peers. */
    @Override
    public void close() {
        plane.close();
    }

    private synchronized WorkerEvent event(
            long round, WorkerState state, @Nullable WorkerInfo info, long highestVersion) {
        seq++;
        return new WorkerEvent(
                seq,
                Instant.EPOCH,
                "run",
                INCARNATION,
                round,
                round,
                state,
                null,
                state == WorkerState.PAUSED ? PauseKind.CHANGE : null,
                "test",
                info,
                highestVersion,
                Map.of());
    }
}
