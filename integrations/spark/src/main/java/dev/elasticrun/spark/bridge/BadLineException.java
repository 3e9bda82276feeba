/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.util.List;

/** A command line that no agent starts with; nothing was started. */
public final class BadLineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final List<String> violations;

    /** @param violations each with the name, the value, and what was expected */
    public BadLineException(List<String> violations) {
        super(String.join("; ", violations));
        this.violations = List.copyOf(violations);
    }

    /** All that is wrong, each with the name, the value, and what was expected. */
    public List<String> violations() {
        return violations;
    }
}
