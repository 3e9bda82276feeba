/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

/** Who serves the store that agents meet in. */
public enum RendezvousBackend {
    /** {@link #ETCD} when there are endpoints, else {@link #EMBEDDED}. */
    AUTO,
    /** An etcd that somebody else runs. */
    ETCD,
    /** The first agent that can bind the endpoint. */
    EMBEDDED
}
