/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.engine.DataPlane;
import dev.elasticrun.worker.internal.engine.Exchanges;
import dev.elasticrun.worker.internal.engine.SteadyRound;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Credentials;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two rounds of two ranks within this process, over sockets and over shared memory, the loss of one of them, and the
 * first round of a rank that finds their checkpoint in files. What first rounds and first losses must load (classes,
 * ciphers, sockets) is loaded when the real one comes, in which others wait.
 */
final class Rehearsal {
    private static final System.Logger LOGGER = System.getLogger(Rehearsal.class.getName());

    private final Credentials credentials;
    private final String incarnation;
    private final Path parent;

    private Rehearsal(Credentials credentials, String incarnation, Path parent) {
        this.credentials = credentials;
        this.incarnation = incarnation;
        this.parent = parent;
    }

    /**
     * Plays in threads of its own.
     *
     * @param parent of a directory for the memory that they share, which ends with the play
     * @return the thread that ends last
     */
    static Thread start(Credentials credentials, String incarnation, Path parent) {
        Rehearsal rehearsal = new Rehearsal(credentials, incarnation, parent);
        Thread thread = background("peer-warm-up", rehearsal::play);
        thread.start();
        return thread;
    }

    private void play() {
        try {
            Path stage = Files.createTempDirectory(parent, "rehearsal-");
            try {
                if (credentials.tls().isPresent()) {
                    TlsRehearsal.play(credentials.over(new SocketNetwork(ListenPlace.LOOPBACK)));
                }
                Path files = Files.createDirectory(stage.resolve("files"));
                play(stage, files);
                startFrom(stage, files);
            } finally {
                Directories.delete(stage);
            }
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.DEBUG, "warm-up", e);
        }
    }

    private void play(Path stage, Path files) throws IOException {
        try (DataPlane first = plane(Files.createDirectory(stage.resolve("first")), files)) {
            lose(playWith(first, stage, files));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return this rank in the last round, whose other rank is gone */
    private Collective playWith(DataPlane first, Path stage, Path files) throws IOException, InterruptedException {
        try (DataPlane second = plane(Files.createDirectory(stage.resolve("second")), files)) {
            List<Integer> ports =
                    List.of(first.listen(0, credentials, incarnation), second.listen(0, credentials, incarnation));
            Thread other = background("peer-warm-up-2", () -> play(second, 1, ports));
            other.start();
            Collective left = play(first, 0, ports);
            other.join(Duration.ofSeconds(1).toMillis());
            return left;
        }
    }

    /** A spare in its first round: alone, as it needs no others for this. */
    private void startFrom(Path stage, Path files) {
        try (DataPlane spare = plane(stage, files)) {
            if (join(spare, 3, 0, List.of(1), List.of("a")).loadCheckpoint().isEmpty()) {
                throw new IllegalStateException("the rehearsal's checkpoint is not in " + files);
            }
        }
    }

    private static DataPlane plane(Path directory, Path files) {
        return new DataPlane(
                new SocketNetwork(ListenPlace.LOOPBACK),
                new SteadyRound.Control(),
                new Exchanges(Transport.AUTO, Optional.of(directory)),
                WaitLimits.STANDARD,
                ReplayLimits.standard(),
                files,
                CheckpointOptions.STANDARD);
    }

    /** @return the rank in the last round */
    private Collective play(DataPlane plane, int rank, List<Integer> ports) {
        // Ranks of two nodes use sockets, those of one node share memory.
        play(join(plane, 1, rank, ports, List.of("a", "a")));
        return play(join(plane, 2, rank, ports, List.of("a", "b")));
    }

    private Collective join(DataPlane plane, long round, int rank, List<Integer> ports, List<String> nodes) {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int peer = 0; peer < nodes.size(); peer++) {
            peers.add(new PeerTable.Peer(peer, nodes.get(peer), "127.0.0.1", ports.get(peer)));
        }
        // Local rank 0 writes the files.
        return new Collective(plane.join(
                SteadyRound.work(incarnation, round, rank, rank, nodes.size()),
                PeerTable.decode(new PeerTable(round, peers).encode())));
    }

    private static Collective play(Collective collective) {
        collective.loadCheckpoint();
        collective.allReduce(new double[31], ReduceOp.SUM);
        collective.allReduce(new long[1], ReduceOp.SUM);
        collective.broadcastBytes(new byte[1], 0);
        collective.checkpoint(new byte[1]);
        return collective;
    }

    private static void lose(Collective collective) {
        try {
            collective.barrier();
        } catch (IllegalStateException e) {
            LOGGER.log(Level.DEBUG, "rehearsed", e);
        }
    }

    private static Thread background(String name, Runnable play) {
        Thread thread = Daemons.of(name, play);
        thread.setUncaughtExceptionHandler((failed, e) -> LOGGER.log(Level.DEBUG, "warm-up", e));
        return thread;
    }
}
