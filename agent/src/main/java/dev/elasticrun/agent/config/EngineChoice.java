/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

/** Whose variables a launch reads. */
public enum EngineChoice {
    /** Those of the engine that started the process, if one did. */
    AUTO,
    NONE,
    SLURM,
    KUBERNETES
}
