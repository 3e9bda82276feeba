/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * Holds authenticated calls that wait for this worker to reach their round. One per round and rank, a later call
 * replaces an earlier one; calls for rounds that are over are refused as such, and calls for another worker's seat are
 * closed without an answer. Its monitor is also what a forming mesh waits on.
 */
public final class PeerLobby {
    private static final int MAX_HELD = 4096;

    private final RejectionLog refusals = new RejectionLog();

    private final Map<Seat, HeldCall> held = new HashMap<>();
    private long round;
    private int rank;
    private boolean isClosed;

    private record Seat(long round, int from, int to) {}

    public RejectionLog refusals() {
        return refusals;
    }

    synchronized void offer(HeldCall call) {
        Hello hello = call.hello();
        if (isClosed || held.size() >= MAX_HELD) {
            refusals.connection("too many calls for later rounds");
            call.close();
        } else if (hello.round() < round) {
            refusals.connection("call for round " + hello.round() + " in round " + round);
            call.refuse();
        } else if (isAnothers(hello)) {
            refuseAnothers(call);
        } else {
            HeldCall earlier = held.put(new Seat(hello.round(), hello.from(), hello.to()), call);
            if (earlier != null) {
                earlier.close();
            }
            notifyAll();
        }
    }

    /** Answers that this process lives. Of rounds that are over, or not reached yet, it need not know its rank for that. */
    synchronized void answerProbe(HeldCall call) throws IOException {
        if (isAnothers(call.hello())) {
            refuseAnothers(call);
        } else {
            call.accept();
            call.close();
        }
    }

    /** From now on older rounds are over. A round may be entered again: it can be closed and reopened. */
    synchronized void enter(long newRound, int newRank) {
        if (newRound >= round) {
            round = newRound;
            rank = newRank;
        }
        Iterator<HeldCall> calls = held.values().iterator();
        while (calls.hasNext()) {
            HeldCall call = calls.next();
            if (call.hello().round() < round) {
                call.refuse();
                calls.remove();
            } else if (isAnothers(call.hello())) {
                refuseAnothers(call);
                calls.remove();
            }
        }
    }

    synchronized Optional<HeldCall> poll(long ofRound, int from, int to) {
        return Optional.ofNullable(held.remove(new Seat(ofRound, from, to)));
    }

    public synchronized void close() {
        isClosed = true;
        held.values().forEach(HeldCall::close);
        held.clear();
        notifyAll();
    }

    private boolean isAnothers(Hello hello) {
        return hello.round() == round && round > 0 && hello.to() != rank;
    }

    private void refuseAnothers(HeldCall call) {
        refusals.connection("call for rank " + call.hello().to() + " of round " + round + ", which is not ours");
        call.close();
    }
}
