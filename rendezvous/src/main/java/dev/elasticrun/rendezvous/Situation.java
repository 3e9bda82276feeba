/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

/**
 * What a plan for a run that has a round is made from.
 *
 * @param round the newest round, sealed or suspended
 * @param gathering what the coordinator waits for until now
 * @param seen since when it has seen what
 */
record Situation(
        Snapshot snapshot, Round round, Assessment assessment, Gathering gathering, Observations seen, long nowNanos) {

    int minNodes() {
        return snapshot.spec().minNodes();
    }

    int maxNodes() {
        return snapshot.spec().maxNodes();
    }

    int budgetLeft() {
        return Math.max(0, snapshot.spec().maxRestarts() - round.budgetUsed());
    }

    /** A wait without a deadline. */
    Plan waitFor(Gathering.Kind kind, String reason) {
        return new Plan(new Decision.Wait(Long.MAX_VALUE), gathering.become(kind, nowNanos), reason);
    }

    Plan publish(Round next) {
        return new Plan(new Decision.Publish(next), Gathering.nothing(nowNanos), next.cause());
    }

    Plan end(Verdict verdict) {
        return Plan.end(verdict, nowNanos);
    }
}
