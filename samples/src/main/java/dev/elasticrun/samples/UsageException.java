/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/** The command line cannot be understood; the message names the value and what was expected. */
public final class UsageException extends RuntimeException {
    public UsageException(String message) {
        super(message);
    }
}
