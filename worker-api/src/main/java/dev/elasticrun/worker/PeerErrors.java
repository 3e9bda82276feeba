/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.UpMessage;
import java.lang.System.Logger.Level;

/**
 * Errors of another library that stand for a lost peer: they are reported as the collective reports its own, and the agent
 * decides. Of the thread that runs the loop.
 */
final class PeerErrors {
    private static final System.Logger LOGGER = System.getLogger(PeerErrors.class.getName());

    private final WorkerRuntime runtime;
    private final LoopOptions options;
    private int inARow;

    PeerErrors(WorkerRuntime runtime, LoopOptions options) {
        this.runtime = runtime;
        this.options = options;
    }

    /** The state was committed: what failed before has been mended. */
    void clear() {
        inARow = 0;
    }

    /** Whether the body is to be entered again, after there was an event. */
    boolean isChange(Throwable thrown, Collective collective) {
        if (!options.peerError().test(thrown)) {
            return false;
        }
        long work = runtime.workSeq();
        if (!runtime.isNewerThan(work)) {
            inARow++;
            if (inARow >= options.peerErrorLimit()) {
                LOGGER.log(
                        Level.WARNING,
                        inARow + " peer errors in a row without a commit: the worker fails (peerErrorLimit is "
                                + options.peerErrorLimit() + ")");
                return false;
            }
            int named = options.lostRank().applyAsInt(thrown);
            boolean isKnown = named >= 0 && named < collective.worldSize();
            runtime.report(new UpMessage.PeerLost(collective.round(), isKnown ? named : collective.rank()));
            LOGGER.log(
                    Level.INFO, "a peer error of round " + collective.round() + ", number " + inARow + ": " + thrown);
        }
        boolean isAnswered = runtime.awaitNewer(work, options.peerErrorWait());
        if (!isAnswered) {
            LOGGER.log(
                    Level.WARNING,
                    "no event after a peer error (peerErrorWait is " + options.peerErrorWait()
                            + "), or the thread was interrupted: the worker fails");
        }
        return isAnswered;
    }
}
