/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.Objects;

/**
 * A key as it stood at some revision. The bytes are shared: do not change them.
 *
 * @param createRevision revision of the write that created the key
 * @param modRevision revision of the last write
 * @param leaseId lease that the key is bound to; 0 = none
 */
public record KeyValue(String key, byte[] value, long createRevision, long modRevision, long leaseId) {

    public KeyValue {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }
}
