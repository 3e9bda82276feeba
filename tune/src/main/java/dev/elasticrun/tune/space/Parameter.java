/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.space;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One parameter.
 *
 * @param name letters, digits, {@code _}, {@code .} and {@code -}
 * @param condition when it applies; empty = always
 */
public record Parameter(String name, Domain domain, Optional<Condition> condition) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,99}");

    public Parameter {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "parameter: '" + name + "' (expected: letters, digits, '_', '.' and '-', at most 100)");
        }
    }

    public static Parameter of(String name, Domain domain) {
        return new Parameter(name, domain, Optional.empty());
    }

    /** The same, for trials in which another parameter has one of these values. */
    public Parameter when(String other, List<Object> values) {
        return new Parameter(name, domain, Optional.of(new Condition(other, values)));
    }

    /** Whether it applies to a trial. */
    boolean applies(Map<String, Object> earlier) {
        return condition.isEmpty()
                || condition.get().values().contains(earlier.get(condition.get().parameter()));
    }

    /**
     * Another parameter has one of these values.
     *
     * @param parameter one before
     */
    public record Condition(String parameter, List<Object> values) {
        public Condition {
            values = List.copyOf(values);
        }
    }
}
