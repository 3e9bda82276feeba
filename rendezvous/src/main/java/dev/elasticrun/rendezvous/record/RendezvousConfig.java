/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one agent takes part in the rendezvous of a run. Checked where it is made, in the agent's launch configuration.
 *
 * @param storeName what the store is called in messages, for example "etcd at 10.0.0.1:2379"
 * @param policy name of the restart policy
 * @param runtime what is prepared for a framework around each round
 * @param tls by what nodes encrypt what they say to each other, the same for all; {@code off} = they do not
 * @param maxRestarts budget, if this agent is the first
 * @param leaseTtl how long a silent node stays a member. Too low: pauses of the JVM or the network evict healthy nodes.
 *     Too high: losses that cannot be proved cost that long
 * @param heartbeat how often the lease is renewed
 * @param joinTimeout how long a run waits for its minimum of nodes
 * @param lastCall how long a first round below the maximum waits for more nodes once the minimum is there
 * @param scaleUpDelay how long newcomers are collected before a running round is re-formed for them
 * @param replacementWait how long the survivors of a round wait, paused, for a node that failed or was lost to return,
 *     before they go on without it; 0 = not at all. Too high: a node that never returns costs that long
 * @param rejoinBackOff the longest that a node which keeps leaving rounds by failure or loss is kept waiting before it is
 *     admitted again; 0 = it never is
 * @param excludeCoolDown how long a node that a worker wanted out of the run, or whose workers keep failing, is not
 *     admitted
 * @param firstContact how long the store may take to answer for the first time
 * @param storeTimeout how long the store may be away later on
 * @param runKey the run's secret, when it was given; else it is minted, or read from the store
 * @param keyInStore whether a minted key may be kept in the store for other nodes
 */
public record RendezvousConfig(
        String runId,
        String storeName,
        int minNodes,
        int maxNodes,
        String policy,
        String runtime,
        String tls,
        int maxRestarts,
        Duration leaseTtl,
        Duration heartbeat,
        Duration joinTimeout,
        Duration lastCall,
        Duration scaleUpDelay,
        Duration replacementWait,
        Duration rejoinBackOff,
        Duration excludeCoolDown,
        Duration firstContact,
        Duration storeTimeout,
        byte @Nullable [] runKey,
        boolean keyInStore) {}
