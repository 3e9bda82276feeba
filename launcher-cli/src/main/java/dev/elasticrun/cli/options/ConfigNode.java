/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import java.util.List;

/** A value of a configuration file as it is written: numbers and yes or no are texts, too. */
public sealed interface ConfigNode {

    /** Where it begins, from 1. */
    int line();

    record Text(int line, String text) implements ConfigNode {}

    record Items(int line, List<ConfigNode> items) implements ConfigNode {}

    record Keys(int line, List<Key> keys) implements ConfigNode {}

    /** A key without a value, or one that is nested too deeply to be anything. */
    record Nothing(int line) implements ConfigNode {}

    /** @param line where the key is */
    public record Key(String name, int line, ConfigNode value) {}

    /** The file is neither YAML nor JSON. */
    final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int line;

        /** @param line from 1; 0 = not known */
        SyntaxException(int line, String problem) {
            super(problem);
            this.line = line;
        }

        /** @param line from 1; 0 = not known */
        SyntaxException(int line, String problem, Throwable cause) {
            super(problem, cause);
            this.line = line;
        }

        int line() {
            return line;
        }
    }
}
