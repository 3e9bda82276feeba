/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

/** Why a worker was paused, as far as it decides what the worker may keep. */
public enum PauseKind {
    /** The world changes: operation logs are dropped and all roll back to one checkpoint. */
    CHANGE,
    /** One worker is replaced with the same ranks: blocked calls continue in the new round. */
    REPLACE
}
