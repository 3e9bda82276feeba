/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent of a pool is to do: its part in the run of a trial.
 *
 * @param run id of the run
 * @param settings of the launch, by the names of flags without dashes, as texts
 * @param parameters of the trial, a JSON object
 * @param reuse whether workers can be those of the trial before
 */
public record TrialOrder(
        String study,
        int trial,
        String run,
        String program,
        List<String> arguments,
        Map<String, List<String>> settings,
        String parameters,
        boolean reuse) {
    public TrialOrder {
        arguments = List.copyOf(arguments);
        settings = new LinkedHashMap<>(settings);
    }
}
