/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.worker.contract.UpMessage;
import org.jspecify.annotations.Nullable;

/** How long this node's workers stood still for the newest round that they went to work in. Owned by the agent's loop. */
final class StallClock {
    private long pausedNanos;
    private boolean paused;
    private long round;
    private long stallNanos;

    /** What workers are told. */
    void on(AgentEffect effect, long nowNanos) {
        if (effect instanceof AgentEffect.Pause pause && pause.round() > 0 && !paused) {
            paused = true;
            pausedNanos = nowNanos;
        } else if (effect instanceof AgentEffect.Work work) {
            round = work.round().number();
            stallNanos = 0;
        }
    }

    /** What the run is at. Nobody waits for the workers of a node without which a round goes on. */
    void on(@Nullable Round newest, String nodeId) {
        if (newest != null && !newest.suspended() && newest.participant(nodeId).isEmpty()) {
            paused = false;
        }
    }

    /** What a worker tells; the last one to resume counts. */
    void on(UpMessage.Resumed resumed, long nowNanos) {
        if (resumed.round() == round && (paused || stallNanos > 0)) {
            paused = false;
            stallNanos = Math.max(1, nowNanos - pausedNanos);
        }
    }

    /** Whether workers were paused and told to work in this round, and have not gone on yet. */
    boolean stillFor(long ofRound) {
        return ofRound == round && paused;
    }

    /** From the PAUSE until the first operation of this round; 0 = not paused for it, or not resumed yet. */
    long nanos(long ofRound) {
        return ofRound == round ? stallNanos : 0;
    }
}
