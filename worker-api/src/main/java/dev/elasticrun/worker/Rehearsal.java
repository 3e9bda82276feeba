/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.internal.engine.DataPlane;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Two rounds of two ranks within this process, over sockets and over shared memory, the loss of one of them, and the
 * first round of a rank that finds their checkpoint in files. What first rounds and first losses must load (classes,
 * ciphers, sockets) is loaded when the real one comes, in which others wait.
 */
final class Rehearsal {
    private static final System.Logger LOGGER = System.getLogger(Rehearsal.class.getName());

    private final RehearsedWorld world;

    private Rehearsal(RehearsedWorld world) {
        this.world = world;
    }

    /**
     * Plays in threads of its own.
     *
     * @param parent of a directory for the memory that they share, which ends with the play
     * @return the thread that ends last
     */
    static Thread start(RehearsedWorld world, Path parent) {
        return RehearsalStage.start("peer-warm-up", LOGGER, parent, new Rehearsal(world)::play);
    }

    private void play(Path stage) throws IOException, InterruptedException {
        if (world.credentials().tls().isPresent()) {
            TlsRehearsal.play(world.credentials().over(new SocketNetwork(ListenPlace.LOOPBACK)));
        }
        Path files = Files.createDirectory(stage.resolve("files"));
        play(stage, files);
        startFrom(stage, files);
    }

    private void play(Path stage, Path files) throws IOException, InterruptedException {
        try (DataPlane first = RehearsedWorld.plane(Files.createDirectory(stage.resolve("first")), files)) {
            lose(playWith(first, stage, files));
        }
    }

    /** @return this rank in the last round, whose other rank is gone */
    private Collective playWith(DataPlane first, Path stage, Path files) throws IOException, InterruptedException {
        try (DataPlane second = RehearsedWorld.plane(Files.createDirectory(stage.resolve("second")), files)) {
            List<Integer> ports = List.of(world.listen(first), world.listen(second));
            Thread other = RehearsalStage.background("peer-warm-up-2", LOGGER, () -> play(second, 1, ports));
            other.start();
            Collective left = play(first, 0, ports);
            other.join(Duration.ofSeconds(1).toMillis());
            return left;
        }
    }

    /** A spare in its first round: alone, as it needs no others for this. */
    private void startFrom(Path stage, Path files) {
        try (DataPlane spare = RehearsedWorld.plane(stage, files)) {
            if (world.join(spare, 3, 0, List.of(1), List.of("a"))
                    .loadCheckpoint()
                    .isEmpty()) {
                throw new IllegalStateException("the rehearsal's checkpoint is not in " + files);
            }
        }
    }

    /** @return the rank in the last round */
    private Collective play(DataPlane plane, int rank, List<Integer> ports) {
        // Ranks of two nodes use sockets, those of one node share memory.
        play(world.join(plane, 1, rank, ports, List.of("a", "a")));
        return play(world.join(plane, 2, rank, ports, List.of("a", "b")));
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
}
