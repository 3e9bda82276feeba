/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/** The worker has requested the end of the run. The agent is about to stop this process; let it happen. */
public final class RunStoppedException extends RuntimeException {
    RunStoppedException(String message) {
        super(message);
    }
}
