/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;

/**
 * What was given for a flag, and where.
 *
 * @param texts at least one
 */
record GivenValue(FlagSource source, List<String> texts) {

    GivenValue {
        texts = List.copyOf(texts);
    }
}
