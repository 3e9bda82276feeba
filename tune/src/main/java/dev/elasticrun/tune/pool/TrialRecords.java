/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.StudyKeys;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an agent writes about a trial: in order, one write at a time, each repeated until it is in the store. Owned by one thread. */
final class TrialRecords {
    private static final Logger LOG = LoggerFactory.getLogger(TrialRecords.class);
    /** Of this process: keys are new ones also when an agent works for a trial again. */
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final RendezvousStore store;
    private final StudyKeys keys;
    private final int trial;
    private final String agent;
    private final Deque<Operation> waiting = new ArrayDeque<>();
    private volatile boolean isWriting;
    private volatile boolean isWritten;

    TrialRecords(RendezvousStore store, StudyKeys keys, int trial, String agent) {
        this.store = store;
        this.keys = keys;
        this.trial = trial;
        this.agent = agent;
    }

    /** What has come since the last call. */
    void reports(ReportTail tail) {
        for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
            waiting.add(new Operation.Put(keys.report(trial, agent, NUMBERS.incrementAndGet()), lines, 0));
        }
    }

    /** @param failure empty = none */
    void end(String failure) {
        waiting.add(new Operation.Put(keys.end(trial, agent), StudyCodec.end(failure), 0));
    }

    /** Writes the next one if the one before is written. Does not block. */
    void flush() {
        if (isWriting) {
            return;
        }
        if (isWritten) {
            isWritten = false;
            waiting.remove();
        }
        Operation next = waiting.peek();
        if (next != null) {
            isWriting = true;
            store.commit(new Transaction(List.of(), List.of(next), List.of())).whenComplete((result, error) -> {
                if (error != null) {
                    LOG.debug("a record of trial {} was not written, trying again", trial, error);
                }
                isWritten = error == null;
                isWriting = false;
            });
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
