/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.List;
import java.util.Objects;

/**
 * Operations that happen at one revision.
 *
 * @param guards all must hold for {@code onSuccess} to be applied, else {@code onFailure} is
 */
public record Transaction(List<Guard> guards, List<Operation> onSuccess, List<Operation> onFailure) {

    public Transaction {
        guards = List.copyOf(guards);
        onSuccess = List.copyOf(onSuccess);
        onFailure = List.copyOf(onFailure);
    }

    /** What must be true of one key; revision 0 means that the key does not exist. */
    public sealed interface Guard {
        String key();

        record CreateRevision(String key, long revision) implements Guard {}

        record ModRevision(String key, long revision) implements Guard {}
    }

    /** One step of a transaction. */
    public sealed interface Operation {

        /**
         * Writes a key.
         *
         * @param leaseId lease to bind the key to; 0 = none
         */
        record Put(String key, byte[] value, long leaseId) implements Operation {
            public Put {
                Objects.requireNonNull(key, "key");
                Objects.requireNonNull(value, "value");
            }
        }

        record Delete(KeyRange range) implements Operation {}

        /**
         * Reads a range.
         *
         * @param limit the most entries that are returned, the first in key order; 0 = all
         * @param modifiedAfter only entries that were written after this revision; 0 = all
         * @param keysOnly without values: their revisions show whether they are known
         */
        record Get(KeyRange range, int limit, long modifiedAfter, boolean keysOnly) implements Operation {

            /** All of the range. */
            public Get(KeyRange range) {
                this(range, 0, 0, false);
            }
        }
    }
}
