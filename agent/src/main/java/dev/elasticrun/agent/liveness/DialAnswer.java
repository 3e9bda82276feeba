/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

/**
 * What became of an attempt to connect.
 *
 * @param detail for people: the address and what went wrong; empty when it answered
 */
public record DialAnswer(Kind kind, String detail) {

    public enum Kind {
        /** Somebody listens there. */
        ANSWERED,
        /** The host lives, and nobody listens there. */
        REFUSED,
        /** No answer in time, no way there, or no such name: that says nothing about who should be there. */
        SILENT
    }
}
