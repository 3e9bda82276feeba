/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The world of a process that elastic-run did not start: one worker, one round that does not end, and a channel as an agent
 * makes it under {@code hard}, in a temporary directory. Nobody reads what the worker reports.
 */
record LocalWorld(Path directory) {
    private static final String NODE = "local";
    private static final String HOST = "127.0.0.1";
    private static final int KEY_BYTES = 32;
    // Nothing listens at either: nobody calls.
    private static final int PORT = 1;

    static LocalWorld create() throws IOException {
        LocalWorld world = new LocalWorld(Files.createTempDirectory("elastic-run-local-"));
        ChannelLayout layout = world.layout();
        for (Path made : List.of(
                layout.events(),
                layout.up(),
                layout.temporary(),
                layout.checkpoints(),
                layout.peers(1).getParent())) {
            Files.createDirectories(made);
        }
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Files.write(layout.key(), key);
        Files.write(layout.peers(1), new PeerTable(1, List.of(new PeerTable.Peer(0, NODE, HOST, PORT))).encode());
        Files.write(layout.event(1), MessageCodec.encode(work()));
        try (Head head = Head.create(layout.head())) {
            head.sealedRound(1);
            head.publish(1, 1, WorkerState.HEALTHY);
        }
        return world;
    }

    ChannelLayout layout() {
        return ChannelLayout.of(directory, 0, 0);
    }

    /** As of a worker that is started for one round. */
    Map<String, String> environment() {
        return Map.of(
                WorkerEnv.ROUND,
                "1",
                WorkerEnv.CHANNEL_DIR,
                layout().channelDirectory().toString());
    }

    private static WorkerEvent work() {
        WorkerInfo.Place only = new WorkerInfo.Place(0, 1);
        return new WorkerEvent(
                1,
                Instant.now(),
                new WorkerEvent.RoundId(NODE, NODE, 1, 1),
                new WorkerEvent.Change(WorkerState.HEALTHY, null, null, "not started by elastic-run"),
                new WorkerInfo(
                        1,
                        1,
                        new WorkerInfo.Ranks(only, only, only, only),
                        "default",
                        new WorkerInfo.Master(HOST, PORT),
                        Map.of()),
                0);
    }

    /** What cannot be deleted is left to whoever cleans the directory of temporary files. */
    void delete() {
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            System.getLogger(LocalWorld.class.getName()).log(System.Logger.Level.DEBUG, "left over: " + directory, e);
        }
    }
}
