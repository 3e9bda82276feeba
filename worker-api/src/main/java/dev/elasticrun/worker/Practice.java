/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.engine.DataPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Many steps of three ranks within this process, two of one node and one of another. A JVM interprets a method some hundred
 * times before it compiles it: in a worker that stands by, nobody waits meanwhile.
 */
final class Practice {
    private static final System.Logger LOGGER = System.getLogger(Practice.class.getName());
    private static final List<String> NODES = List.of("a", "a", "b");
    /** HotSpot compiles a method after 200 calls (Tier3InvocationThreshold). */
    private static final int STEPS = 250;
    /** Others work meanwhile, and processors are shared. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private static final Duration JOIN_WAIT = Duration.ofSeconds(1);

    private final RehearsedWorld world;
    private final BooleanSupplier goesOn;

    private Practice(RehearsedWorld world, BooleanSupplier goesOn) {
        this.world = world;
        this.goesOn = goesOn;
    }

    /**
     * Practises in threads of its own.
     *
     * @param parent of a directory for the memory that they share, which ends with the practice
     * @param goesOn whether to make another step; from any thread
     * @return the thread that ends last
     */
    static Thread start(RehearsedWorld world, Path parent, BooleanSupplier goesOn) {
        return RehearsalStage.start("peer-practice", LOGGER, parent, new Practice(world, goesOn)::play);
    }

    private void play(Path stage) throws IOException, InterruptedException {
        try (DataPlane first = plane(stage, 0);
                DataPlane second = plane(stage, 1);
                DataPlane third = plane(stage, 2)) {
            List<Integer> ports = List.of(world.listen(first), world.listen(second), world.listen(third));
            List<Thread> others = new ArrayList<>();
            others.add(RehearsalStage.background("peer-practice-1", LOGGER, () -> practise(second, 1, ports)));
            others.add(RehearsalStage.background("peer-practice-2", LOGGER, () -> practise(third, 2, ports)));
            others.forEach(Thread::start);
            try {
                practise(first, 0, ports);
            } finally {
                for (Thread other : others) {
                    other.join(JOIN_WAIT.toMillis());
                }
            }
        }
    }

    private static DataPlane plane(Path stage, int rank) throws IOException {
        return RehearsedWorld.plane(
                Files.createDirectory(stage.resolve("rank-" + rank)),
                Files.createDirectory(stage.resolve("files-" + rank)));
    }

    private void practise(DataPlane plane, int rank, List<Integer> ports) {
        try {
            practiseSteps(plane, rank, ports);
        } catch (RuntimeException e) {
            // The others do not wait for it.
            plane.closeRounds(Long.MAX_VALUE);
            throw e;
        }
    }

    private void practiseSteps(DataPlane plane, int rank, List<Integer> ports) {
        Collective collective = world.join(plane, 1, rank, ports, NODES);
        collective.loadCheckpoint();
        for (int step = 0; step < STEPS; step++) {
            if (rank == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            collective.allReduce(new double[31], ReduceOp.SUM);
            long[] stops = {goesOn.getAsBoolean() ? 0 : 1};
            collective.allReduce(stops, ReduceOp.SUM);
            collective.checkpoint(new byte[1]);
            if (stops[0] > 0) {
                return;
            }
        }
    }
}
