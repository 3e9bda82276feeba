/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.util.Objects;

/**
 * One thing that was looked at.
 *
 * @param name what, in a word or two, the same on all nodes
 * @param found its value on this node
 * @param advice what to do; empty = nothing
 */
public record Check(String name, Health health, String found, String advice) {

    public Check {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(health, "health");
        Objects.requireNonNull(found, "found");
        if (advice.isEmpty() != (health == Health.OK)) {
            throw new IllegalArgumentException(
                    "advice of " + name + ": '" + advice + "' (expected: one with WARNING and ERROR, none with OK)");
        }
    }

    static Check ok(String name, String found) {
        return new Check(name, Health.OK, found, "");
    }

    static Check warning(String name, String found, String advice) {
        return new Check(name, Health.WARNING, found, advice);
    }

    static Check error(String name, String found, String advice) {
        return new Check(name, Health.ERROR, found, advice);
    }
}
