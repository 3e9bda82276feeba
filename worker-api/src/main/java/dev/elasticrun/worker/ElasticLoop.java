/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/** Runs a program through all changes of the world, in one process. */
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
     * <p>A process runs one loop: when it returns, this worker has left the round with all others. What belongs together,
     * as the folds of a cross-validation, goes into one body, with its position in the state.
     *
     * @throws IllegalStateException if a loop of this process runs or has returned
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
        run(ElasticRuntime.runtime(), state, options, body);
    }

    static void run(WorkerRuntime runtime, ElasticState state, LoopOptions options, Body body) throws Exception {
        runtime.loop().begin();
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
            runtime.loopEnded(isDone);
        }
    }

    private static boolean isDone(WorkerRuntime runtime, ElasticState state, PeerErrors peerErrors, Body body)
            throws Exception {
        Collective collective = null;
        try {
            collective = runtime.join();
            state.sync(collective);
            runtime.progress().beat();
            body.run(collective);
            collective.close();
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
