/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import java.util.List;

/**
 * The value given for a setting, or for the program, and its source.
 *
 * @param name how a message about the value begins
 * @param origin the source, human-readable
 * @param texts at least one
 */
record GivenValue(String name, String origin, List<String> texts) {
    GivenValue {
        texts = List.copyOf(texts);
    }

    /** Of a flag of the command line. */
    static GivenValue ofFlag(String option, List<String> texts) {
        return new GivenValue(option, "flag " + option, texts);
    }

    static GivenValue ofVariable(String variable, String text) {
        return new GivenValue(variable, "variable " + variable, List.of(text));
    }

    /** Another text of the same source. */
    GivenValue with(String text) {
        return new GivenValue(name, origin, List.of(text));
    }

    /** The one that counts where a setting has one value. */
    String last() {
        return texts.get(texts.size() - 1);
    }
}
