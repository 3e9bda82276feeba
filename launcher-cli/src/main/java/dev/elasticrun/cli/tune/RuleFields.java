/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.rule.HyperbandRule;
import dev.elasticrun.tune.rule.MedianRule;
import dev.elasticrun.tune.rule.PatienceRule;
import dev.elasticrun.tune.rule.StoppingRule;
import java.util.Optional;

/** The key {@code rule}: a name, or keys with the name as {@code kind}. */
final class RuleFields {
    private static final String KINDS = "none, early-stopping, median, asha or hyperband";
    private static final int DEFAULT_GRACE = 1;
    private static final int DEFAULT_REDUCTION = 3;
    private static final int DEFAULT_BRACKETS = 3;
    private static final int DEFAULT_LEAST = 3;
    private static final int DEFAULT_PATIENCE = 10;

    private RuleFields() {}

    static StoppingRule read(StudyFields study) {
        if (study.isText("rule")) {
            return study.value("rule", StoppingRule.NONE, kind -> rule(kind, Optional.empty()));
        }
        Optional<StudyFields> fields = study.nested("rule");
        if (fields.isEmpty()) {
            return StoppingRule.NONE;
        }
        StoppingRule rule = fields.get().required("kind", StoppingRule.NONE, KINDS, kind -> rule(kind, fields));
        fields.get().end();
        return rule;
    }

    private static StoppingRule rule(String kind, Optional<StudyFields> fields) {
        return switch (kind) {
            case "none" -> StoppingRule.NONE;
            case "early-stopping" -> new PatienceRule(number(fields, "patience", DEFAULT_PATIENCE, 1));
            case "median" ->
                new MedianRule(
                        number(fields, "grace", DEFAULT_GRACE, 0),
                        number(fields, "least", DEFAULT_LEAST, 1),
                        number(fields, "every", 1, 1));
            case "asha" ->
                new AshaRule(
                        number(fields, "grace", DEFAULT_GRACE, 1), number(fields, "reduction", DEFAULT_REDUCTION, 2));
            case "hyperband" ->
                new HyperbandRule(
                        number(fields, "grace", DEFAULT_GRACE, 1),
                        number(fields, "reduction", DEFAULT_REDUCTION, 2),
                        number(fields, "brackets", DEFAULT_BRACKETS, 1));
            default -> throw new IllegalArgumentException(KINDS);
        };
    }

    private static int number(Optional<StudyFields> fields, String name, int otherwise, int least) {
        return fields.map(found -> found.value(name, otherwise, text -> StudyFile.atLeast(text, least)))
                .orElse(otherwise);
    }
}
