/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The program of Rabit's table of failures: in each of three iterations a maximum (operation 0), a string from each of four
 * roots (1 to 8), a sum (9), an all-gather by which the model grows as many times as there are workers (10), and a
 * checkpoint (11). Every element of every result is compared with what one process computes.
 */
final class RecoverProgram {
    private static final int ITERATIONS = 3;
    private static final int[] ROOTS = {0, 3, 6, 9};

    private RecoverProgram() {}

    /** How the model is kept. */
    enum Keeping {
        GLOBAL,
        /** With a state of each rank's own. */
        LOCAL,
        LAZY
    }

    /** @param args elements of the first model, and how it is kept */
    public static void main(String[] args) {
        RecoverModel first = RecoverModel.first(Integer.parseInt(args[0]));
        Keeping keeping = Keeping.valueOf(args[1]);
        boolean isDone = false;
        while (!isDone) {
            try {
                isDone = isFinished(ElasticRuntime.join(), first, keeping);
            } catch (WorldChangedException e) {
                System.out.println("joins again: " + e.getMessage());
            }
        }
    }

    private static boolean isFinished(Collective collective, RecoverModel first, Keeping keeping) {
        try {
            run(collective, first, keeping);
            return true;
        } catch (WorldChangedException e) {
            System.out.println("interrupted: " + e.getMessage());
            return false;
        }
    }

    private static void run(Collective collective, RecoverModel first, Keeping keeping) {
        RecoverModel model = collective
                .loadCheckpoint()
                .map(content -> RecoverModel.decode(content, first))
                .orElse(first);
        if (keeping == Keeping.LOCAL && model.version() > 0) {
            requireLocal(collective, model);
        }
        System.out.println("rank " + collective.rank() + " of " + collective.worldSize() + " begins at version "
                + collective.version() + " in round " + collective.round());
        while (model.version() < ITERATIONS) {
            model = iterate(collective, model);
            keep(collective, model, keeping);
            require(collective.version() == model.version(), "version " + collective.version());
        }
        collective.close();
        System.out.println("done as rank " + collective.rank() + " of " + collective.worldSize() + " after worlds "
                + model.worlds() + " with " + model.length() + " elements");
    }

    private static void keep(Collective collective, RecoverModel model, Keeping keeping) {
        switch (keeping) {
            case GLOBAL -> collective.checkpoint(model.encode());
            case LOCAL -> collective.checkpoint(model.encode(), text(collective.rank(), model.version()));
            case LAZY -> collective.lazyCheckpoint(model::encode);
        }
    }

    /** Its own, as far as it had this rank in the world of the checkpoint; each of those that are gone is with one. */
    private static void requireLocal(Collective collective, RecoverModel model) {
        int last = model.worlds().get(model.version() - 1);
        if (last == collective.worldSize()) {
            byte[] local = collective.loadLocal().orElse(new byte[0]);
            require(Arrays.equals(local, text(collective.rank(), model.version())), "local state");
        }
        collective.orphanedLocals().forEach((rank, local) -> {
            require(Arrays.equals(local, text(rank, model.version())), "local state of rank " + rank);
            System.out.println("orphan of rank " + rank + " at version " + model.version());
        });
    }

    private static RecoverModel iterate(Collective collective, RecoverModel model) {
        int world = collective.worldSize();
        float[] max = model.input(collective.rank());
        collective.allReduce(max, ReduceOp.MAX);
        model.requireMax(max, world);
        for (int root : ROOTS) {
            byte[] mine = text(collective.rank(), model.version());
            byte[] text = collective.broadcastBytes(mine, root % world);
            require(Arrays.equals(text, text(root % world, model.version())), "text of " + root);
        }
        float[] sum = model.input(collective.rank());
        collective.allReduce(sum, ReduceOp.SUM);
        model.requireSum(sum, world);
        float[] all = model.parts(collective.rank(), world);
        collective.allGatherInPlace(all, model.bounds(world));
        model.requireGathered(all, world);
        return model.next(all, sum, world);
    }

    private static byte[] text(int rank, int version) {
        return ("this is rank " + rank + " in iteration " + version + "; ")
                .repeat(rank + 1)
                .getBytes(StandardCharsets.UTF_8);
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException("wrong: " + message);
        }
    }
}
