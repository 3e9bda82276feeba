/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.study.StudyConfig;
import java.time.Instant;
import java.util.Map;

/**
 * What a study was begun with.
 *
 * @param text distinguishes it from others of that name
 * @param incarnation of this start of it: its runs have other ids than those of a study of that name before
 * @param began when, by the clock of its first driver
 */
record StudyDefinition(String text, String incarnation, Instant began) {
    private static final String TEXT = "definition";
    private static final String INCARNATION = "incarnation";
    private static final String BEGAN = "began";

    static StudyDefinition of(StudyConfig config, String incarnation, Instant began) {
        return new StudyDefinition(config.definition(), incarnation, began);
    }

    byte[] bytes() {
        return StudyCodec.object(Map.of(TEXT, text, INCARNATION, incarnation, BEGAN, began.toString()));
    }

    static StudyDefinition parse(byte[] json) {
        Map<String, Object> members = StudyCodec.object(json);
        return new StudyDefinition(
                String.valueOf(members.get(TEXT)),
                String.valueOf(members.get(INCARNATION)),
                Instant.parse(String.valueOf(members.get(BEGAN))));
    }
}
