/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import java.time.Duration;

/**
 * How long a coordinator waits for nodes before it decides on a round.
 *
 * @param joinTimeout how long a run waits for its minimum of nodes
 * @param lastCall how long a first round below the maximum waits for more nodes once the minimum is there
 * @param scaleUpDelay how long newcomers are collected before a running round is re-formed for them
 * @param replacementWait how long the survivors of a round wait, paused, for a node that failed or was lost to return,
 *     before they continue without it; 0 = not at all. Too high: a node that never returns costs that long
 * @param rejoinBackOff the longest that a node which keeps leaving rounds by failure or loss is kept waiting before it
 *     is admitted again; 0 = it never is
 * @param excludeCoolDown how long a node that a worker wanted out of the run, or whose workers keep failing, is not
 *     admitted
 */
public record RoundTimes(
        Duration joinTimeout,
        Duration lastCall,
        Duration scaleUpDelay,
        Duration replacementWait,
        Duration rejoinBackOff,
        Duration excludeCoolDown) {}
