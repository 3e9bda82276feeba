/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import org.jspecify.annotations.Nullable;

/**
 * One worker of the current group, as the agent knows it.
 *
 * @param pid process id; 0 = not started yet
 * @param port data-plane port; 0 = not known yet
 * @param ready whether it reported READY
 * @param exitCode how it ended; null while it lives or was not started
 * @param acknowledged newest event that it acknowledged; 0 = none
 * @param lostPeerRound newest round in which it reported a lost peer; 0 = none
 * @param message why it is about to fail, in its own words; empty when it said nothing
 * @param stack the stack trace that goes with it
 */
record WorkerView(
        int slot,
        long pid,
        int port,
        boolean ready,
        @Nullable Integer exitCode,
        long acknowledged,
        long lostPeerRound,
        String message,
        String stack) {

    static WorkerView starting(int slot, int port) {
        return new WorkerView(slot, 0, port, false, null, 0, 0, "", "");
    }

    boolean running() {
        return pid != 0 && exitCode == null;
    }

    boolean succeeded() {
        return exitCode != null && exitCode == 0;
    }

    WorkerView withPid(long newPid) {
        return new WorkerView(slot, newPid, port, ready, exitCode, acknowledged, lostPeerRound, message, stack);
    }

    WorkerView withReady(int newPort) {
        return new WorkerView(slot, pid, newPort, true, exitCode, acknowledged, lostPeerRound, message, stack);
    }

    WorkerView withExit(int code) {
        return new WorkerView(slot, pid, port, ready, code, acknowledged, lostPeerRound, message, stack);
    }

    WorkerView withAcknowledged(long seq) {
        return new WorkerView(
                slot, pid, port, ready, exitCode, Math.max(acknowledged, seq), lostPeerRound, message, stack);
    }

    WorkerView withLostPeer(long round) {
        return new WorkerView(slot, pid, port, ready, exitCode, acknowledged, round, message, stack);
    }

    WorkerView withMessage(String newMessage, String newStack) {
        return new WorkerView(slot, pid, port, ready, exitCode, acknowledged, lostPeerRound, newMessage, newStack);
    }
}
