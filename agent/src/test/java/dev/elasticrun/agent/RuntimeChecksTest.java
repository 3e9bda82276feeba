/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class RuntimeChecksTest {
    private static final Map<String, String> WORKERS = Map.of("DMLC_TASK_ID", "0", "DMLC_NUM_WORKER", "2", "MINE", "1");
    private static final Map<String, String> INHERITED = Map.of("DMLC_TRACKER_URI", "here", "PATH", "/bin");

    @ParameterizedTest
    @ValueSource(strings = {"xgboost", "xgboost:own-tracker"})
    void reservedNames_areAllNamedAtOnce(String runtime) {
        String why = " (expected: not set, because --runtime " + runtime + " gives each worker its own in each round)";

        assertThat(RuntimeChecks.violations(config(runtime), INHERITED))
                .containsExactly(
                        "--env DMLC_NUM_WORKER: set for workers" + why,
                        "--env DMLC_TASK_ID: set for workers" + why,
                        "environment variable DMLC_TRACKER_URI: set for this command" + why);
    }

    @Test
    void none_reservesNothing() {
        assertThat(RuntimeChecks.violations(config("none"), INHERITED)).isEmpty();
    }

    @Test
    void unknownRuntime_isNamed() {
        assertThat(RuntimeChecks.violations(config("tensor"), INHERITED))
                .containsExactly("--runtime: tensor (expected: one of none, xgboost[:own-tracker])");
    }

    private static LaunchConfig config(String runtime) {
        return new LaunchConfig(
                LaunchConfig.builder("true").environment(WORKERS).runtime(runtime));
    }
}
