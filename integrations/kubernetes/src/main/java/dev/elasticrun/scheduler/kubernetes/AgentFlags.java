/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import java.util.List;
import java.util.Optional;

/**
 * The flags that the user gave for agents: {@code --name value} or {@code --name=value}, {@code _} the same as {@code -}, the
 * last of a name counts.
 */
record AgentFlags(List<String> given) {
    AgentFlags {
        given = List.copyOf(given);
    }

    boolean has(String... names) {
        return value(names).isPresent();
    }

    /** The value of a flag with several names; empty text for a flag without a value at the end. */
    Optional<String> value(String... names) {
        List<String> wanted = List.of(names);
        String found = null;
        for (int i = 0; i < given.size(); i++) {
            String text = given.get(i);
            int equals = text.indexOf('=');
            String name = (equals < 0 ? text : text.substring(0, equals)).replace('_', '-');
            if (!wanted.contains(name)) {
                continue;
            }
            if (equals >= 0) {
                found = text.substring(equals + 1);
            } else {
                found = i + 1 < given.size() ? given.get(i + 1) : "";
            }
        }
        return Optional.ofNullable(found);
    }
}
