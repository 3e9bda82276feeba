/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import java.util.Base64;
import java.util.HexFormat;

/**
 * What distinguishes one submission of a job from another one.
 *
 * @param run the job's name and a random suffix: a label's value, and the run id unless the user gave one
 * @param key the run key in Base64
 */
record RunIdentity(String run, String key) {
    /** Random bytes that {@link #of} needs for the suffix. */
    static final int SUFFIX_BYTES = 4;
    /** Random bytes that {@link #of} needs for the key. */
    static final int KEY_BYTES = 32;

    static RunIdentity of(String job, byte[] suffix, byte[] key) {
        return new RunIdentity(
                job + "-" + HexFormat.of().formatHex(suffix),
                Base64.getEncoder().encodeToString(key));
    }

    @Override
    public String toString() {
        return run;
    }
}
