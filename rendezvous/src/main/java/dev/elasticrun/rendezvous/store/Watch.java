/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

/** A running watch. */
public interface Watch extends AutoCloseable {

    /** Ends the watch; an event that is under way may still be delivered. Does not block or throw. */
    @Override
    void close();
}
