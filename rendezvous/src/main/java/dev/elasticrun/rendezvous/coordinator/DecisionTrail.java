/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which calls of the planner are recorded: each that decides something new, after the newest waits since the
 * decision before, of each the call with which it began. Calls that find nothing to do are not recorded. Owned by the loop.
 */
final class DecisionTrail {
    /** More make files longer, not a decision clearer: a run of many nodes begins with one wait for each of them. */
    static final int MAX_WAITS = 4;

    private final DecisionRecorder recorder;
    private final Deque<PlannerCall> waits = new ArrayDeque<>();
    private @Nullable Decision recorded;

    DecisionTrail(DecisionRecorder recorder) {
        this.recorder = recorder;
    }

    void add(PlannerCall call) {
        Decision decision = call.plan().decision();
        if (decision instanceof Decision.Wait) {
            onWait(call);
        } else if (decision instanceof Decision.Idle) {
            waits.clear();
        } else if (call.decides() && !isRecorded(decision)) {
            long incident = call.incident();
            waits.forEach(wait -> recorder.record(wait, incident));
            waits.clear();
            recorder.record(call, incident);
        }
    }

    private void onWait(PlannerCall call) {
        PlannerCall before = waits.peekLast();
        if (before != null
                && before.plan().gathering().kind() == call.plan().gathering().kind()
                && before.plan().reason().equals(call.plan().reason())) {
            return;
        }
        waits.add(call);
        if (waits.size() > MAX_WAITS) {
            waits.remove();
        }
    }

    // A write that failed is decided on again; meanwhile restarts have grown older.
    private boolean isRecorded(Decision decision) {
        Decision ageless = decision instanceof Decision.Publish publish
                ? new Decision.Publish(publish.round().withUsed(UsedRestarts.NONE))
                : decision;
        boolean isSame = ageless.equals(recorded);
        recorded = ageless;
        return isSame;
    }
}
