/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import java.util.Arrays;

/**
 * Whether the storm changed the result.
 *
 * @param compared false = there was no command for it
 * @param text one line for the report
 */
public record Comparison(boolean compared, boolean same, String text) {
    public static final Comparison NONE = new Comparison(false, false, "not compared; --compare does that");

    /**
     * What the command printed that prints the result of a run.
     *
     * @param exitCode of the command
     */
    public record Output(int exitCode, byte[] text) {}

    /** @param succeeded whether the run in the storm ended well */
    public static Comparison of(Output calm, Output storm, boolean succeeded) {
        if (calm.exitCode() != 0 || storm.exitCode() != 0) {
            return new Comparison(
                    true,
                    false,
                    "not known: the command of --compare ended with " + calm.exitCode() + " after the calm run and "
                            + storm.exitCode() + " after the storm");
        }
        if (!succeeded) {
            return new Comparison(true, false, "none: the run did not succeed in the storm");
        }
        int at = Arrays.mismatch(calm.text(), storm.text());
        return at < 0
                ? new Comparison(true, true, "the same as in the calm run, " + calm.text().length + " bytes")
                : new Comparison(
                        true,
                        false,
                        "differs from that of the calm run from byte " + (at + 1) + " on (" + calm.text().length
                                + " and " + storm.text().length + " bytes)");
    }
}
