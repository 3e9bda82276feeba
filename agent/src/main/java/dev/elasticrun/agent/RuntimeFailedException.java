/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

/** The run's runtime could not do what a round needs. Ends the agent, with this as the reason. */
final class RuntimeFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param runtime as it was chosen */
    RuntimeFailedException(String runtime, Exception cause) {
        super("runtime " + runtime + " failed: " + cause, cause);
    }
}
