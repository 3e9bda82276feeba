/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One worker of the current group, as the agent knows it.
 *
 * @param attempt generation of the group in which it was started; names its channel and its logs
 * @param earlierEvents events that the group got before this worker's channel was there
 * @param pid process id; 0 = not started yet
 * @param port data-plane port; 0 = not known yet
 * @param exitCode how it ended; null while it lives or was not started
 * @param acknowledged newest event of the group that it acknowledged; 0 = none
 * @param lostPeerRound newest round in which it reported a lost peer; 0 = none
 * @param progressedRound newest round in which it told a step; 0 = none
 * @param words why it is about to fail, in its own words
 */
record WorkerView(
        int slot,
        int attempt,
        long earlierEvents,
        long pid,
        int port,
        Set<Mark> marks,
        @Nullable Integer exitCode,
        long acknowledged,
        long lostPeerRound,
        long progressedRound,
        Words words) {

    /** What happened to a worker and cannot be undone. */
    enum Mark {
        /** It reported READY. */
        READY,
        /** It was told to work. */
        WORKED,
        /** The agent kills it, because it does not answer. */
        CONDEMNED,
        /** No process of its group is left. */
        GONE
    }

    /**
     * What a worker said of its failure.
     *
     * @param message empty when it said nothing
     * @param stack the stack trace that goes with it
     */
    record Words(String message, String stack) {
        static final Words NONE = new Words("", "");
    }

    WorkerView {
        marks = Set.copyOf(marks);
    }

    static WorkerView starting(int slot, int attempt, long earlierEvents, int port) {
        return new WorkerView(slot, attempt, earlierEvents, 0, port, Set.of(), null, 0, 0, 0, Words.NONE);
    }

    boolean is(Mark mark) {
        return marks.contains(mark);
    }

    boolean ready() {
        return is(Mark.READY);
    }

    boolean running() {
        return pid != 0 && exitCode == null;
    }

    boolean succeeded() {
        return exitCode != null && exitCode == 0;
    }

    /** Whether it will never work again. */
    boolean ended() {
        return exitCode != null || is(Mark.CONDEMNED);
    }

    boolean failed() {
        return ended() && !succeeded();
    }

    WorkerView with(Mark mark) {
        Set<Mark> more = EnumSet.of(mark);
        more.addAll(marks);
        return new WorkerView(
                slot,
                attempt,
                earlierEvents,
                pid,
                port,
                more,
                exitCode,
                acknowledged,
                lostPeerRound,
                progressedRound,
                words);
    }

    WorkerView withPid(long newPid) {
        return new WorkerView(
                slot,
                attempt,
                earlierEvents,
                newPid,
                port,
                marks,
                exitCode,
                acknowledged,
                lostPeerRound,
                progressedRound,
                words);
    }

    WorkerView withReady(int newPort) {
        return new WorkerView(
                        slot,
                        attempt,
                        earlierEvents,
                        pid,
                        newPort,
                        marks,
                        exitCode,
                        acknowledged,
                        lostPeerRound,
                        progressedRound,
                        words)
                .with(Mark.READY);
    }

    WorkerView withExit(int code) {
        return new WorkerView(
                slot,
                attempt,
                earlierEvents,
                pid,
                port,
                marks,
                code,
                acknowledged,
                lostPeerRound,
                progressedRound,
                words);
    }

    /** @param seq of its own channel */
    WorkerView withAcknowledged(long seq) {
        long newest = Math.max(acknowledged, earlierEvents + seq);
        return new WorkerView(
                slot,
                attempt,
                earlierEvents,
                pid,
                port,
                marks,
                exitCode,
                newest,
                lostPeerRound,
                progressedRound,
                words);
    }

    WorkerView withLostPeer(long round) {
        return new WorkerView(
                slot, attempt, earlierEvents, pid, port, marks, exitCode, acknowledged, round, progressedRound, words);
    }

    WorkerView withProgress(long round) {
        return new WorkerView(
                slot, attempt, earlierEvents, pid, port, marks, exitCode, acknowledged, lostPeerRound, round, words);
    }

    WorkerView withWords(String message, String stack) {
        Words said = new Words(message, stack);
        return new WorkerView(
                slot,
                attempt,
                earlierEvents,
                pid,
                port,
                marks,
                exitCode,
                acknowledged,
                lostPeerRound,
                progressedRound,
                said);
    }
}
