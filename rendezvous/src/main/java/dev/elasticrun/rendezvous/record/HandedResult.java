/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Arrays;

/** What a worker that ended with 0 handed over, or why that is not here. The arrays are shared: nobody writes to them. */
public final class HandedResult {
    private final int attempt;
    private final byte[] content;
    private final String refused;

    private HandedResult(int attempt, byte[] content, String refused) {
        this.attempt = attempt;
        this.content = content;
        this.refused = refused;
    }

    /** @param attempt generation in which the worker was started */
    public static HandedResult of(int attempt, byte[] content) {
        return new HandedResult(attempt, content, "");
    }

    /** @param why as text, not empty */
    public static HandedResult refused(int attempt, String why) {
        return new HandedResult(attempt, new byte[0], why);
    }

    public int attempt() {
        return attempt;
    }

    /** Empty if it was refused. */
    public byte[] content() {
        return content;
    }

    /** Why the content is not here; empty = it is. */
    public String refusedBecause() {
        return refused;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HandedResult result
                && attempt == result.attempt
                && Arrays.equals(content, result.content)
                && refused.equals(result.refused);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content) * 31 + attempt;
    }

    @Override
    public String toString() {
        return "attempt " + attempt + ": " + (refused.isEmpty() ? content.length + " bytes" : refused);
    }
}
