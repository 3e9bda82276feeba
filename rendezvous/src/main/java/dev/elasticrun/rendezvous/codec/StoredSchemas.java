/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import dev.elasticrun.rendezvous.record.OtherSchemaException;
import java.util.Objects;

/** Which schemas of stored records this version has, and what an agent with others is answered. */
final class StoredSchemas {
    /** Of elastic-run, as its jars have it; empty where the classes are in no jar. */
    static final String VERSION =
            Objects.requireNonNullElse(StoredSchemas.class.getPackage().getImplementationVersion(), "");

    /** Of all records: one that changes changes this text. */
    static final String OWN = "spec " + RecordCodec.SPEC_SCHEMA + ", round " + RecordCodec.ROUND_SCHEMA + ", node "
            + RecordCodec.SCHEMA + ", command " + CommandCodec.SCHEMA;

    private StoredSchemas() {}

    /**
     * Of the record that an agent reads first.
     *
     * @param spec schema of that record
     * @param all of the run; empty = not stated
     * @param version with which the run was started; empty = not stated
     * @throws OtherSchemaException when they are others than those of this version
     */
    static void check(int spec, String all, String version) {
        boolean isSame = spec == RecordCodec.SPEC_SCHEMA && (all.isEmpty() || all.equals(OWN));
        if (!isSame) {
            throw new OtherSchemaException("the run was started by " + named(version) + " with the stored schema "
                    + (all.isEmpty() ? "spec " + spec : all) + " (expected: " + OWN + ", which " + named(VERSION)
                    + " has; start this node with the version of the run, or the whole run with one version)");
        }
    }

    /** Of any other record. */
    static void check(String key, int found, int known) {
        if (found != known) {
            throw new OtherSchemaException(key + ": schema " + found + " (expected: " + known + ", which "
                    + named(VERSION) + " has; use one version of elastic-run in one run)");
        }
    }

    private static String named(String version) {
        return version.isEmpty() ? "elastic-run of a version that is not stated" : "elastic-run " + version;
    }
}
