/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The library in a worker's JVM: what programs use, the values of its operations, and the contract with the agent. It
 * needs nothing but {@code java.base}. Agent, samples and shaded archives have it on the class path, where all packages
 * are open; a program on the module path sees those that are exported.
 */
module dev.elasticrun.worker {
    requires static org.jspecify;

    exports dev.elasticrun.worker;
    exports dev.elasticrun.worker.collective;
    exports dev.elasticrun.worker.contract;

    // Tests put one beside the module; there is none in a run.
    uses dev.elasticrun.worker.internal.faults.FaultInjector;
}
