/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

/**
 * State of the run at the time of the failure in which it is suppressed: where its files are, its workers, and the last
 * lines of each agent. Never thrown.
 */
public final class RunStateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RunStateException(String state) {
        super(state, null, false, false);
    }
}
