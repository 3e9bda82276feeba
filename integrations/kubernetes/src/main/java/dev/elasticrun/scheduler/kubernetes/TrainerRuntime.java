/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

/** By which runtime Kubeflow's Trainer runs a TrainJob. */
sealed interface TrainerRuntime {
    /** One that is made for the job. */
    record Made(Policy policy) implements TrainerRuntime {}

    /** One that the cluster has, with pods of its own. */
    record Existing(String name) implements TrainerRuntime {}

    /** Which variables Trainer sets. */
    enum Policy {
        TORCH,
        XGBOOST,
        NONE
    }
}
