/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

/** A signal for a whole process group, named as {@code kill -s} names it. */
public enum GroupSignal {
    HUP,
    INT,
    QUIT,
    KILL,
    USR1,
    USR2,
    TERM,
    CONT,
    STOP
}
