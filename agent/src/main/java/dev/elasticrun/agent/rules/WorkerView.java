/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One worker of the current group, as the agent knows it.
 *
 * @param attempt generation of the group in which it was started; names its channel and its logs
 * @param earlierEvents events that the group got before this worker's channel was there
 * @param life its process
 * @param reports what it reported
 */
public record WorkerView(int slot, int attempt, long earlierEvents, Life life, Set<Mark> marks, Reports reports) {

    /** What happened to a worker and cannot be undone. */
    public enum Mark {
        /** It reported READY. */
        READY,
        /** It received WORK. */
        WORKED,
        /** It completed an operation with all others of a round. */
        RESUMED,
        /** The agent kills it, because it does not answer. */
        CONDEMNED,
        /** It ended with 0, and its peers could not continue without it. */
        MISSED,
        /** No process of its group is left. */
        GONE
    }

    /**
     * The process of a worker.
     *
     * @param pid process id; 0 = not started yet
     * @param port data-plane port; 0 = not known yet
     * @param exitCode how it ended; null while it lives or was not started
     */
    record Life(long pid, int port, @Nullable Integer exitCode) {}

    /**
     * What a worker reported.
     *
     * @param acknowledged newest event of the group that it acknowledged; 0 = none
     * @param lostPeerRound newest round in which it reported a lost peer; 0 = none
     * @param progressedRound newest round in which it reported a step; 0 = none
     * @param failure why it is about to fail, as it reported, or as its agent found; null = not known
     */
    record Reports(long acknowledged, long lostPeerRound, long progressedRound, Failure.@Nullable Evidence failure) {
        static final Reports NOTHING = new Reports(0, 0, 0, null);
    }

    public WorkerView {
        marks = Set.copyOf(marks);
    }

    static WorkerView starting(int slot, int attempt, long earlierEvents, int port) {
        return new WorkerView(slot, attempt, earlierEvents, new Life(0, port, null), Set.of(), Reports.NOTHING);
    }

    public long pid() {
        return life.pid();
    }

    public int port() {
        return life.port();
    }

    @Nullable
    public Integer exitCode() {
        return life.exitCode();
    }

    public long acknowledged() {
        return reports.acknowledged();
    }

    long lostPeerRound() {
        return reports.lostPeerRound();
    }

    long progressedRound() {
        return reports.progressedRound();
    }

    /** Why it is about to fail, if that is known before its end. */
    Failure.@Nullable Evidence reported() {
        return reports.failure();
    }

    public boolean is(Mark mark) {
        return marks.contains(mark);
    }

    public boolean ready() {
        return is(Mark.READY);
    }

    public boolean running() {
        return pid() != 0 && exitCode() == null;
    }

    public boolean succeeded() {
        Integer code = exitCode();
        return code != null && code == 0 && !is(Mark.MISSED);
    }

    /** Whether it will never work again. */
    public boolean ended() {
        return exitCode() != null || is(Mark.CONDEMNED);
    }

    /** Whether it can be given a rank, as far as it is concerned. */
    public boolean fit() {
        return ready() && !ended();
    }

    boolean failed() {
        return ended() && !succeeded();
    }

    WorkerView with(Mark mark) {
        Set<Mark> more = EnumSet.of(mark);
        more.addAll(marks);
        return new WorkerView(slot, attempt, earlierEvents, life, more, reports);
    }

    WorkerView withPid(long newPid) {
        return living(new Life(newPid, port(), exitCode()));
    }

    WorkerView withReady(int newPort) {
        return living(new Life(pid(), newPort, exitCode())).with(Mark.READY);
    }

    WorkerView withExit(int code) {
        return living(new Life(pid(), port(), code));
    }

    /** @param seq of its own channel */
    WorkerView withAcknowledged(long seq) {
        long newest = Math.max(acknowledged(), earlierEvents + seq);
        // After a pause its first step is worth a line again, also in the same round.
        return reporting(new Reports(newest, lostPeerRound(), 0, reported()));
    }

    WorkerView withLostPeer(long round) {
        return reporting(new Reports(acknowledged(), round, progressedRound(), reported()));
    }

    WorkerView withProgress(long round) {
        return reporting(new Reports(acknowledged(), lostPeerRound(), round, reported()));
    }

    /** Stores the worker's report, unless the agent found a cause before. */
    WorkerView withReported(String message, String stack) {
        Failure.Evidence known = reported();
        return known != null && known.kind() != FailureKind.EXCEPTION
                ? this
                : withReported(new Failure.Evidence(FailureKind.EXCEPTION, message, stack, List.of(), "", ""));
    }

    WorkerView withReported(Failure.Evidence failure) {
        return reporting(new Reports(acknowledged(), lostPeerRound(), progressedRound(), failure));
    }

    private WorkerView living(Life now) {
        return new WorkerView(slot, attempt, earlierEvents, now, marks, reports);
    }

    private WorkerView reporting(Reports now) {
        return new WorkerView(slot, attempt, earlierEvents, life, marks, now);
    }
}
