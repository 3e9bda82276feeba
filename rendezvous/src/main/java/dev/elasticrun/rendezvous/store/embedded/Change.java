/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * What one operation did to one key.
 *
 * @param before null: the key did not exist
 * @param after null: the key was deleted
 * @param revision at which it happened
 */
record Change(
        ByteString key, @Nullable KeyValue before, @Nullable KeyValue after, long revision) {

    /** An estimate of the memory that it holds. */
    long bytes() {
        return 200L
                + (before == null ? 0 : before.getValue().size())
                + (after == null ? 0 : after.getValue().size());
    }
}
