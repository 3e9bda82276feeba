/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.cli.agents.LocalAgent;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.chaos.fault.FaultSchedule;
import dev.elasticrun.cli.chaos.fault.Injector;
import dev.elasticrun.cli.chaos.fault.Weather;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Faults in a run by a schedule, in the calling thread, until its length is over or the run ends. */
final class Storm {
    private static final Duration TICK = Duration.ofMillis(20);

    private final LiveRun run;
    private final Weather weather;

    /**
     * @param faults relative frequency of each kind
     * @param every mean time between two faults
     * @throws IllegalArgumentException when the frequencies cannot be read
     */
    Storm(LiveRun run, String faults, long seed, Duration every, Duration length) {
        this.run = run;
        this.weather = new Weather(weights(faults), every, length, seed);
    }

    private static Map<FaultKind, Integer> weights(String faults) {
        try {
            return Weather.weightsOf(faults);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("faults: " + faults + " (expected: " + e.getMessage() + ")", e);
        }
    }

    List<Fault> run() {
        Injector injector = run.injector();
        List<Fault> faults = new ArrayList<>();
        long began = System.nanoTime();
        for (FaultSchedule.Planned planned : FaultSchedule.of(weather)) {
            await(began + planned.atNanos());
            if (!goesOn()) {
                break;
            }
            Fault fault = injector.inject(planned, run.watch().newest());
            faults.add(fault);
            if (fault.isInjected() && fault.kind().killsAgent()) {
                run.startAgent();
            }
        }
        await(began + weather.length().toNanos());
        injector.killStopped();
        return faults;
    }

    private void await(long nanos) {
        while (System.nanoTime() - nanos < 0 && goesOn()) {
            Patience.pause(TICK);
        }
    }

    // An agent that ends by itself with 0 reports that the run has succeeded: the others follow.
    private boolean goesOn() {
        return run.agents().stream().anyMatch(LocalAgent::isAlive)
                && run.agents().stream()
                        .noneMatch(agent ->
                                agent.endedByItself() && agent.exitCode().orElse(-1) == 0);
    }
}
