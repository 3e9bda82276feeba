/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.torchrun;

import dev.elasticrun.agent.config.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What something of a torchrun line stands for.
 *
 * @param values texts of settings, in the order in which they were found; {@link #NO_VALUE} = it has none, whatever was given
 * @param noEffect what has no effect here, and why: sentences that begin with its name
 * @param notes what has another name or meaning here: sentences
 * @param wrong what is wrong
 */
public record Translation(
        Map<Setting<?>, String> values, List<String> noEffect, List<String> notes, List<Wrong> wrong) {

    /** In place of a text. */
    public static final String NO_VALUE = "";

    /** Stands for nothing, and needs no remark. */
    static final Translation NOTHING = new Translation(Map.of(), List.of(), List.of(), List.of());

    /**
     * A value that is wrong.
     *
     * @param name of the flag, with its dashes
     * @param expected what would have been right
     */
    public record Wrong(String name, String value, String expected) {}

    public Translation {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        noEffect = List.copyOf(noEffect);
        notes = List.copyOf(notes);
        wrong = List.copyOf(wrong);
    }

    static Translation ignored(String remark) {
        return new Translation(Map.of(), List.of(remark), List.of(), List.of());
    }

    static Translation wrong(String name, String value, String expected) {
        return new Translation(Map.of(), List.of(), List.of(), List.of(new Wrong(name, value, expected)));
    }

    Translation with(Setting<?> setting, String text) {
        Map<Setting<?>, String> more = new LinkedHashMap<>(values);
        more.put(setting, text);
        return new Translation(more, noEffect, notes, wrong);
    }

    Translation noting(String note) {
        return new Translation(values, noEffect, appended(notes, note), wrong);
    }

    Translation ignoring(String remark) {
        return new Translation(values, appended(noEffect, remark), notes, wrong);
    }

    private static List<String> appended(List<String> texts, String text) {
        List<String> more = new ArrayList<>(texts);
        more.add(text);
        return more;
    }
}
