/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import java.util.List;
import java.util.Locale;

/** Why there is a new round, as one of a few words: a round's own cause names nodes, and is for people. */
public enum IncidentCause {
    WORKER_FAILED("worker failed"),
    NODE_LOST("lost ", "node lost"),
    NODE_LEFT("leaving ", "drain"),
    NODE_LEFT_OUT("left out "),
    NODE_FENCED("fenced "),
    LINK_BROKEN("lost peers"),
    COMMAND("by command", "was asked", "target"),
    NODE_JOINED(" join"),
    OTHER;

    private final List<String> signs;

    IncidentCause(String... signs) {
        this.signs = List.of(signs);
    }

    /** The first that fits, in the order above: a failure and a newcomer at once are a failure. */
    public static IncidentCause of(String words) {
        // Not a loss of a node, although it begins so.
        String other = words.replace("workers lost peers", "lost peers").replace("lost peers", "LINK");
        for (IncidentCause cause : values()) {
            String text = cause == LINK_BROKEN ? words : other;
            if (cause.signs.stream().anyMatch(text::contains)) {
                return cause;
            }
        }
        return OTHER;
    }

    /** Value of a label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
