/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/** A record was written by a version of elastic-run that stores it in another way. Nothing is wrong with it. */
public final class OtherSchemaException extends CorruptRecordException {
    private static final long serialVersionUID = 1L;

    public OtherSchemaException(String message) {
        super(message, null);
    }
}
