/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import org.jspecify.annotations.Nullable;

/** The store holds a record that this version cannot read: the agent gives up rather than guess. */
public class CorruptRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
