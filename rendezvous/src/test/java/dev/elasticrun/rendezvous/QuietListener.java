/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import org.jspecify.annotations.Nullable;

/** Does nothing about what it is told: for doubles of agents, which are about some of it only. */
public abstract class QuietListener implements RendezvousListener {

    @Override
    public void onJoined(RunIdentity identity, long createRevision) {}

    @Override
    public void onRound(Round round) {}

    @Override
    public void onVerdict(Verdict verdict) {}

    @Override
    public void onLeaseDeadline(long deadlineNanos) {}

    @Override
    public void onFenced() {}

    @Override
    public void onRestored(boolean stalled) {}

    @Override
    public void onMembershipLost() {}

    @Override
    public void onCoordinator(NodeRecord coordinator) {}

    @Override
    public void onElected() {}

    @Override
    public void onRefused(String reason) {}

    @Override
    public void onStoreLost(String reason) {}

    @Override
    public void onWaiting(String reason) {}

    @Override
    public void onDecided(Round decided, @Nullable Round previous) {}

    @Override
    public void onPublished(Round published) {}
}
