/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A round of two ranks within this process, played once while the program still loads its data. What a first round must
 * load (classes, ciphers, sockets) is loaded when the real one comes, which others wait for.
 */
final class Rehearsal {
    private static final long ROUND = 1;
    private static final Path NOWHERE = Path.of("rehearsal-has-no-files");

    private Rehearsal() {}

    static void start(byte[] key, String incarnation) {
        background("peer-warm-up", () -> play(key, incarnation)).start();
    }

    private static void play(byte[] key, String incarnation) {
        try (DataPlane first = new DataPlane(
                        new SocketNetwork(),
                        new SteadyRound.Control(),
                        NOWHERE,
                        WaitLimits.STANDARD,
                        ReplayLimits.standard());
                DataPlane second = new DataPlane(
                        new SocketNetwork(),
                        new SteadyRound.Control(),
                        NOWHERE,
                        WaitLimits.STANDARD,
                        ReplayLimits.standard())) {
            PeerTable table = new PeerTable(
                    ROUND,
                    List.of(
                            new PeerTable.Peer(0, "a", "127.0.0.1", first.open(0, key, incarnation)),
                            new PeerTable.Peer(1, "b", "127.0.0.1", second.open(0, key, incarnation))));
            Thread other = background("peer-warm-up-2", () -> play(second, table, 1, incarnation));
            other.start();
            play(first, table, 0, incarnation);
            other.join(Duration.ofSeconds(1).toMillis());
        } catch (IOException | RuntimeException e) {
            System.getLogger(Rehearsal.class.getName()).log(Level.DEBUG, "warm-up", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void play(DataPlane plane, PeerTable table, int rank, String incarnation) {
        // Not local rank 0, which would write files.
        Collective collective =
                plane.join(SteadyRound.work(incarnation, ROUND, 1, rank, 2), PeerTable.decode(table.encode()));
        collective.allReduce(new double[31], ReduceOp.SUM);
        collective.allReduce(new long[1], ReduceOp.SUM);
        collective.broadcast(new byte[1], 0);
        collective.checkpoint(new byte[1]);
        collective.close();
    }

    private static Thread background(String name, Runnable play) {
        Thread thread = new Thread(play, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(
                (failed, e) -> System.getLogger(Rehearsal.class.getName()).log(Level.DEBUG, "warm-up", e));
        return thread;
    }
}
