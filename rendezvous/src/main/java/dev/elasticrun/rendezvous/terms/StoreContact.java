/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import java.time.Duration;

/**
 * How long an agent does without its store.
 *
 * @param name what the store is called in messages, for example "etcd at 10.0.0.1:2379"
 * @param firstContact how long it may take to answer for the first time
 * @param timeout how long it may be away later on
 */
public record StoreContact(String name, Duration firstContact, Duration timeout) {}
