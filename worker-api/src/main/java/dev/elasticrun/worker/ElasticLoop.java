/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.Collective;
import dev.elasticrun.worker.collective.WorldChangedException;

/** Runs a program through all changes of the world, in one process. */
public final class ElasticLoop {

    private ElasticLoop() {}

    /** The program from the state's last commit to its end. Entered again after every change. */
    @FunctionalInterface
    public interface Body {
        void run(Collective collective) throws Exception;
    }

    /**
     * Joins a round, brings the state to the last commit, runs the body; when the world changes, again. Returns when the
     * body has returned on all ranks. An exception of the body goes up: the worker has failed. Each commit of the state
     * tells the agent that there is progress.
     */
    public static void run(ElasticState state, Body body) throws Exception {
        run(ElasticRuntime.runtime(), state, body);
    }

    static void run(WorkerRuntime runtime, ElasticState state, Body body) throws Exception {
        boolean isDone = false;
        while (!isDone) {
            try {
                Collective collective = runtime.join();
                state.sync(collective);
                state.onCommit(runtime.progress()::beat);
                runtime.progress().beat();
                body.run(collective);
                collective.close();
                isDone = true;
            } catch (WorldChangedException e) {
                System.getLogger(ElasticLoop.class.getName()).log(System.Logger.Level.DEBUG, e.getMessage());
            }
        }
    }
}
