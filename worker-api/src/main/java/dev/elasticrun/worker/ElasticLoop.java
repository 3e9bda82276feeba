/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/**
 * Runs a program through all changes of the world, in one process.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticLoop;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.ElasticState;
 * import dev.elasticrun.worker.Snapshotable;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import java.nio.ByteBuffer;
 *
 * public final class SumOfSteps {
 *     private static final class Model implements Snapshotable {
 *         private int step;
 *         private double sum;
 *
 *         @Override
 *         public byte[] save() {
 *             return ByteBuffer.allocate(12).putInt(step).putDouble(sum).array();
 *         }
 *
 *         @Override
 *         public void restore(byte[] snapshot) {
 *             ByteBuffer saved = ByteBuffer.wrap(snapshot);
 *             step = saved.getInt();
 *             sum = saved.getDouble();
 *         }
 *     }
 *
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> {
 *             Model model = new Model();
 *             ElasticState state = ElasticState.of(model);
 *             ElasticLoop.run(state, collective -> {        // again after each change, with the model restored
 *                 while (model.step < 100) {
 *                     double[] part = {1.0 / collective.worldSize()};
 *                     collective.allReduce(part, ReduceOp.SUM);
 *                     model.sum += part[0];
 *                     model.step++;
 *                     state.commit();
 *                 }
 *             });
 *         });
 *     }
 * }
 * }</pre>
 *
 * <h2>Several loops</h2>
 *
 * A state made with {@link ElasticState#acrossLoops} can be passed to one loop after the other, as for the folds of a
 * cross-validation. All ranks run the same loops in the same order, all with this state:
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticLoop;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.ElasticState;
 * import dev.elasticrun.worker.Snapshotable;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import java.nio.ByteBuffer;
 *
 * public final class FiveFolds {
 *     private static final class Folds implements Snapshotable {
 *         private final double[] scores = new double[5];     // what the loops yield is in the state, too
 *         private int epoch;
 *         private double score;
 *
 *         @Override
 *         public byte[] save() {
 *             ByteBuffer saved = ByteBuffer.allocate(52).putInt(epoch).putDouble(score);
 *             for (double each : scores) {
 *                 saved.putDouble(each);
 *             }
 *             return saved.array();
 *         }
 *
 *         @Override
 *         public void restore(byte[] snapshot) {
 *             ByteBuffer saved = ByteBuffer.wrap(snapshot);
 *             epoch = saved.getInt();
 *             score = saved.getDouble();
 *             saved.asDoubleBuffer().get(scores);
 *         }
 *     }
 *
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> {
 *             Folds folds = new Folds();
 *             ElasticState state = ElasticState.of(folds).acrossLoops();
 *             for (int fold = 0; fold < folds.scores.length; fold++) {
 *                 int held = fold;
 *                 folds.epoch = 0;
 *                 folds.score = 0;
 *                 ElasticLoop.run(state, collective -> {
 *                     while (folds.epoch < 10) {
 *                         double[] part = {held};
 *                         collective.allReduce(part, ReduceOp.MAX);
 *                         folds.score += part[0];
 *                         folds.epoch++;
 *                         state.commit();
 *                     }
 *                     folds.scores[held] = folds.score;
 *                 });
 *             }
 *         });
 *     }
 * }
 * }</pre>
 *
 * <ul>
 *   <li>When a body has returned on all ranks, its loop has ended: the state is committed with that, in one operation, so the
 *       version counts one more. From then on no process enters this body again, whatever dies.
 *   <li>A process that starts later, as a replacement, as a newcomer or after all have died, runs through the same calls. Those of
 *       loops that have ended return without a call of the body, and the first one that has not begins at its newest commit. Such a
 *       call leaves the state as the newest checkpoint has it, which can be one of a later loop. So what a loop yields is in the
 *       state: a variable outside is lost on these processes.
 *   <li>A loop of which nothing is committed begins with the state as it is on rank 0 when {@code run} is called, or, if it is
 *       streamed, as it is on each rank. The program may change it between two loops, on all ranks alike, and from nothing but the
 *       state, the number of the loop and its input.
 *   <li>Between loops a worker stays in its round, and a change of the world is met by the next loop. A worker that the others wait
 *       for between two loops counts as one that works for long.
 *   <li>The worker leaves the run when the program ends, after the last loop.
 * </ul>
 */
public final class ElasticLoop {
    private static final System.Logger LOGGER = System.getLogger(ElasticLoop.class.getName());

    private ElasticLoop() {}

    /** The program from the state's last commit to its end. Entered again after every change. */
    @FunctionalInterface
    public interface Body {
        void run(Collective collective) throws Exception;
    }

    /**
     * Joins a round, brings the state to the last commit, runs the body; when the world changes, again. Returns when
     * the body has returned on all ranks. Each commit of the state reports progress to the agent.
     *
     * <p>The world has changed if what the body throws is a
     * {@link dev.elasticrun.worker.collective.WorldChangedException} of this round, or has one among its causes or
     * suppressed exceptions, at any depth: as a future, a pool or a library throws it on. Any other exception goes up: the
     * worker has failed, also if the round is over at that moment. A body that fails by itself and meets the change only
     * while it closes something is entered again with a warning that has its stack; what fails it fails it again.
     *
     * <p>When it returns, this worker has left the round with all others, and no other loop can follow; unless the state is one of
     * {@link ElasticState#acrossLoops several loops}. Then it returns at once, without a call of the body, if the loop has ended
     * before this process began.
     *
     * @throws IllegalStateException if a loop of this process runs, or has returned and was not one of several with this state; if the
     *     run has gone back to a loop that has returned in this process, because its newer checkpoints are lost
     * @throws Exception what the body threw, unless the world changed
     */
    public static void run(ElasticState state, Body body) throws Exception {
        run(state, LoopOptions.STANDARD, body);
    }

    /**
     * As {@link #run(ElasticState, Body)}, for a program whose workers are also connected by another library. When the body
     * throws what {@link LoopOptions#peerError()} accepts, the loop reports a lost peer as the collective does, waits for
     * the agent to decide, and enters the body again; the body makes the library's connections anew. While it may wait in
     * that library it is in a {@link ElasticRuntime#peerSection(String) peerSection}, or it is taken for one that hangs.
     *
     * <p>The exception goes up if the agent decides nothing in time, or if there were too many without a commit between
     * them: then it is not a peer that fails.
     */
    public static void run(ElasticState state, LoopOptions options, Body body) throws Exception {
        run(ElasticRuntime.runtime(state), state, options, body);
    }

    static void run(WorkerRuntime runtime, ElasticState state, LoopOptions options, Body body) throws Exception {
        state.beginLoop(runtime.loops().begin(state));
        boolean isDone = false;
        PeerErrors peerErrors = new PeerErrors(runtime, options);
        state.onCommit(() -> {
            runtime.progress().beat();
            peerErrors.clear();
        });
        try {
            while (!isDone) {
                isDone = isDone(runtime, state, peerErrors, body);
            }
        } finally {
            runtime.loopEnded(state, isDone);
        }
    }

    private static boolean isDone(WorkerRuntime runtime, ElasticState state, PeerErrors peerErrors, Body body)
            throws Exception {
        Collective collective = null;
        try {
            collective = runtime.loops().takeKept().orElseGet(runtime::join);
            boolean isToRun = state.enter(collective);
            runtime.progress().beat();
            if (isToRun) {
                body.run(collective);
                state.endLoop();
            }
            if (state.isAcrossLoops()) {
                runtime.loops().keep(collective);
            } else {
                collective.close();
            }
            return true;
        } catch (Exception | Error e) {
            switch (BodyEnd.of(e, runtime.workSeq())) {
                case FAILED -> {
                    if (collective == null || !peerErrors.isChange(e, collective)) {
                        throw e;
                    }
                }
                case CHANGED -> LOGGER.log(System.Logger.Level.DEBUG, e.getMessage());
                case CHANGED_BESIDE ->
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "the world changed, the program goes on from the last commit; it ended with",
                            e);
            }
            return false;
        }
    }
}
