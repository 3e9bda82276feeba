/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.exchange.Call;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.Operation;

/**
 * Where this process stands in the run's operations, from round to round, and what of them it can give to others. For the
 * user thread.
 */
public final class OperationLog {
    private final ReplayLimits limits;
    private final ReplayLog log;
    private long world;
    private long era;
    private boolean isContinuing;
    private long version;
    private long seq;

    public OperationLog(ReplayLimits limits) {
        this.limits = limits;
        this.log = new ReplayLog(limits.maxBytes());
    }

    /** Whether a round of the same world can continue where the last one ended. */
    public boolean isKept() {
        return limits.isOn();
    }

    /** Checkpoints of the run when the program's next operation begins. */
    public long version() {
        return version;
    }

    /** Operations of the program since the checkpoint. */
    public long seq() {
        return seq;
    }

    ReplayLog log() {
        return log;
    }

    public LogPosition progress() {
        return isKept()
                ? new LogPosition(world, era, isContinuing, version, seq, log.floor(), log.stride())
                : new LogPosition(world, era, false, 0, 0, 0, 1);
    }

    /** The program begins again at the checkpoint: it makes its calls since then once more. */
    public void restart() {
        isContinuing = false;
    }

    /** Starts a round at this rank's agreed position. Missing results are yet to arrive. */
    public void start(ReplayAgreement agreement, WorkerInfo info, long ofVersion) {
        int rank = info.rank();
        boolean isOn = agreement.goesOn().get(rank);
        if (agreement.isRollback() || world != info.world() || era != agreement.era()) {
            log.reset(rank, isKept() ? ReplayLog.stride(info.worldSize(), limits.replicas()) : 1);
        } else if (version != ofVersion) {
            log.clear();
            log.dropRecovered();
        } else if (isOn) {
            log.dropRecovered();
        } else {
            log.replayFromStart(agreement.target());
        }
        world = info.world();
        era = agreement.era();
        version = ofVersion;
        seq = agreement.positions().get(rank);
        isContinuing = isOn;
    }

    /** All that was lacking has come: from here the program makes its calls. */
    public void resume() {
        isContinuing = true;
    }

    /** Does the operation with all, and keeps its result if others may need it. */
    public void execute(Call call, Exchange exchange, int rank) throws BrokenLinkException {
        if (isKept()) {
            log.execute(call, exchange, rank);
        } else {
            call.execute(exchange);
        }
        seq++;
    }

    /** Whether the program's next operation has been done by others, and its result is here. */
    public boolean isRecovered() {
        return log.recovered(seq) != null;
    }

    /** Completes the call with the result that others have; throws if it is another operation's. */
    public void takeRecovered(Call call, int rank) {
        Operation done = log.recovered(seq);
        if (done == null || !done.isLike(call.operation())) {
            String was = done == null ? "nothing" : done.describe();
            throw new CollectiveMismatchException(
                    "a worker that takes another's place must make the same calls: it called "
                            + call.operation().describe() + " as "
                            + call.operation().place() + ", where the others had called "
                            + was);
        }
        log.takeRecovered(seq, call, rank);
        seq++;
    }

    /** The checkpoint is committed here: operations are counted anew. */
    public void checkpointed(long newVersion) {
        version = newVersion;
        seq = 0;
        log.clear();
    }
}
