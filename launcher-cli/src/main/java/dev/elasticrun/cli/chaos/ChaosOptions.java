/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import dev.elasticrun.cli.chaos.fault.NetFaults;
import dev.elasticrun.cli.chaos.fault.Weather;
import dev.elasticrun.cli.chaos.report.GoodputForecast;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a run of chaos is to do.
 *
 * @param net what is done to the network
 * @param calm how long the program is watched without faults before the storm
 * @param agents how many local agents; 0 = as many as {@code --nnodes} of the line allows
 * @param replaceAfter time between the death of an agent and the start of another one
 * @param output directory for all files; empty = a fresh one
 * @param compare shell command whose output is the result of a run; empty = results are not compared
 * @param minGoodput bound, 0 to 1; 0 = none
 */
public record ChaosOptions(
        Weather weather,
        NetFaults net,
        Duration calm,
        int agents,
        Duration replaceAfter,
        Optional<Path> output,
        Optional<String> compare,
        double minGoodput,
        List<GoodputForecast.Case> forecast) {

    public ChaosOptions {
        forecast = List.copyOf(forecast);
    }
}
