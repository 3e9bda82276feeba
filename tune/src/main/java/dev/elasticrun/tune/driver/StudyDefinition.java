/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.study.StudyConfig;
import java.util.Map;

/**
 * What a study was begun with.
 *
 * @param text tells it apart from others of that name
 * @param incarnation of this start of it: its runs have other ids than those of a study of that name before
 */
record StudyDefinition(String text, String incarnation) {
    private static final String TEXT = "definition";
    private static final String INCARNATION = "incarnation";

    static StudyDefinition of(StudyConfig config, String incarnation) {
        return new StudyDefinition(config.definition(), incarnation);
    }

    byte[] bytes() {
        return StudyCodec.object(Map.of(TEXT, text, INCARNATION, incarnation));
    }

    static StudyDefinition parse(byte[] json) {
        Map<String, Object> members = StudyCodec.object(json);
        return new StudyDefinition(String.valueOf(members.get(TEXT)), String.valueOf(members.get(INCARNATION)));
    }
}
