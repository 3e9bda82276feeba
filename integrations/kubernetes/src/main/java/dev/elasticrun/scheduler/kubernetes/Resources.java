/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What each agent's pod needs.
 *
 * @param gpus 0 = none
 */
record Resources(Optional<String> cpu, Optional<String> memory, int gpus, String gpuResource) {
    /** Requests are the limits: what is not promised to a pod can be taken from it. */
    ResourceRequirements requirements() {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        cpu.ifPresent(amount -> amounts.put("cpu", new Quantity(amount)));
        memory.ifPresent(amount -> amounts.put("memory", new Quantity(amount)));
        if (gpus > 0) {
            amounts.put(gpuResource, new Quantity(Integer.toString(gpus)));
        }
        return new ResourceRequirementsBuilder()
                .withRequests(amounts)
                .withLimits(amounts)
                .build();
    }
}
