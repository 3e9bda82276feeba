/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.time.Instant;
import java.util.Map;
import java.util.function.LongPredicate;

/** A round without an agent that never ends: for rehearsals and benchmarks. */
public final class SteadyRound {
    private SteadyRound() {}

    /** The round's WORK event, whose number is the round's. */
    public static WorkerEvent work(String incarnation, long round, int localRank, int rank, int worldSize) {
        WorkerInfo.Place place = new WorkerInfo.Place(rank, worldSize);
        WorkerInfo.Ranks ranks = new WorkerInfo.Ranks(
                new WorkerInfo.Place(localRank, localRank + 1), place, place, new WorkerInfo.Place(0, 1));
        WorkerInfo info = new WorkerInfo(round, round, ranks, "", new WorkerInfo.Master("", 0), Map.of());
        return new WorkerEvent(
                round,
                Instant.EPOCH,
                new WorkerEvent.RoundId("", incarnation, round, round),
                new WorkerEvent.Change(WorkerState.HEALTHY, null, null, ""),
                info,
                0);
    }

    /** Provides no further event: a thread that must wait for one has failed, and gets an IllegalStateException. */
    public static final class Control implements RoundControl {
        private final LongPredicate isOpen;

        /** Every round is open. */
        public Control() {
            this(seq -> true);
        }

        /** @param isOpen whether that of the WORK event of this number is */
        public Control(LongPredicate isOpen) {
            this.isOpen = isOpen;
        }

        @Override
        public boolean isOpen(long seq) {
            return isOpen.test(seq);
        }

        @Override
        public boolean awaitOpen(long seq) {
            return isOpen(seq);
        }

        @Override
        public WorkerEvent awaitNewer(long seq) {
            throw broken();
        }

        @Override
        public WorkerEvent awaitNewerWork(long seq) {
            throw broken();
        }

        @Override
        public PeerTable peers(WorkerEvent work) {
            throw broken();
        }

        @Override
        public void report(UpMessage message) {}

        private static IllegalStateException broken() {
            return new IllegalStateException("the round broke, and there is no other");
        }
    }
}
