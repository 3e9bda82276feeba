/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;

/**
 * An option of a command, as it is parsed and shown.
 *
 * @param names with their dashes; the first one is how code knows it
 * @param label what the value looks like; empty = it takes none
 * @param alone the value when none is given; empty = one has to be
 * @param description a sentence
 */
record OptionForm(List<String> names, String label, String alone, String description) {

    OptionForm {
        names = List.copyOf(names);
    }

    boolean takesValue() {
        return !label.isEmpty();
    }

    boolean needsValue() {
        return takesValue() && alone.isEmpty();
    }
}
