/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

/**
 * Where the value of a flag was given.
 *
 * @param name how a message about the value begins
 * @param origin for people who ask where a value comes from
 */
record FlagSource(String name, String origin) {
    static final FlagSource DEFAULT = new FlagSource("", "default");

    static FlagSource flag(Flag flag) {
        return new FlagSource(flag.option(), "flag " + flag.option());
    }

    static FlagSource variable(String variable) {
        return new FlagSource(variable, "variable " + variable);
    }

    /** @param line from 1 */
    static FlagSource file(String file, int line, String key) {
        return new FlagSource(file + ":" + line + ": " + key, "file " + file + ", line " + line);
    }
}
