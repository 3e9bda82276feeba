/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import java.util.List;

/**
 * A recorded decision beside the one that this version makes of the same input.
 *
 * @param decides false for a wait that led to a decision
 * @param policy by which it was decided
 * @param replayedBy the policy by which it was decided again
 * @param known what the coordinator knew, in short, one statement each
 * @param answers what the policy answered, in short
 * @param recorded what was decided, in short
 * @param replayed what was decided again, in short
 * @param differences empty = it is the same decision
 */
public record Replayed(
        DecisionLine.Stamp stamp,
        boolean decides,
        String policy,
        String replayedBy,
        List<String> known,
        List<String> answers,
        String recorded,
        String replayed,
        List<Difference> differences) {

    public Replayed {
        known = List.copyOf(known);
        answers = List.copyOf(answers);
        differences = List.copyOf(differences);
    }

    public boolean isSame() {
        return differences.isEmpty();
    }
}
