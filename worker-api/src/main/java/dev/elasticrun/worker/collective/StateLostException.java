/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * The run had completed a checkpoint, no worker has any, and the run was started to end then. The agent is about to stop
 * this process; let it happen.
 */
public final class StateLostException extends RuntimeException {
    public StateLostException(String message) {
        super(message);
    }
}
