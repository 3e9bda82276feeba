/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

/** The thread that waited in {@link ElasticLauncher#launch} was interrupted. The agent was drained and has ended. */
public final class LaunchInterruptedException extends InterruptedException {
    private static final long serialVersionUID = 1L;

    private final transient LaunchResult result;

    LaunchInterruptedException(LaunchResult result) {
        super("interrupted; the agent was drained: " + result.reason());
        this.result = result;
    }

    /** How the agent ended. */
    public LaunchResult result() {
        return result;
    }
}
