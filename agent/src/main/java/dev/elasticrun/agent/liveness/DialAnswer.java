/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

/**
 * The result of an attempt to connect.
 *
 * @param detail human-readable: the address and what went wrong; empty when it answered
 */
public record DialAnswer(Kind kind, String detail) {

    public enum Kind {
        /** A process listens there. */
        ANSWERED,
        /** The host lives, and no process listens there. */
        REFUSED,
        /** No answer in time, no route, or no such name: that proves nothing about the expected process. */
        SILENT
    }
}
