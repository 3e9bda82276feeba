/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

/**
 * Another store answers than before, or one that has lost what it had acknowledged. Nothing in its answers is about us:
 * give up. Every later call of the same client fails like this, too.
 */
public final class StoreReplacedException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreReplacedException(String message) {
        super(message, null);
    }
}
