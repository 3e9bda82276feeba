/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import java.util.Locale;

/** Why there is a new round, as one of a few words: a round's own cause names nodes, and is for people. */
public enum IncidentCause {
    WORKER_FAILED("worker failed"),
    LINK_BROKEN("lost peers"),
    NODE_LOST("lost "),
    NODE_LEFT("leaving "),
    NODE_LEFT_OUT("left out "),
    NODE_FENCED("fenced "),
    COMMAND("by command"),
    NODE_JOINED(" join"),
    /** No round is made for it. */
    STORE_UNREACHABLE("store not reachable"),
    OTHER("");

    private final String sign;

    IncidentCause(String sign) {
        this.sign = sign;
    }

    /** The first that fits, in the order above: a failure and a newcomer at once are a failure. */
    public static IncidentCause of(String words) {
        for (IncidentCause cause : values()) {
            if (words.contains(cause.sign)) {
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
