/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.KeyRange;

/**
 * Names of a pool's keys:
 *
 * <pre>
 * agents/AGENT    it lives
 * orders/AGENT    what it is to work for, proved with the pool's key
 * </pre>
 */
public record PoolKeys(String prefix) {
    private static final String POOLS = "/elastic-run/pools/v1/";

    public static PoolKeys of(String pool) {
        return new PoolKeys(POOLS + pool + "/");
    }

    public KeyRange all() {
        return KeyRange.prefix(prefix);
    }

    public String agents() {
        return prefix + "agents/";
    }

    public String agent(String agent) {
        return agents() + agent;
    }

    public String orders() {
        return prefix + "orders/";
    }

    public String order(String agent) {
        return orders() + agent;
    }
}
