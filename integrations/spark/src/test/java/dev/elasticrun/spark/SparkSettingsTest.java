/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver refuses before anything starts. */
final class SparkSettingsTest {
    private static final Map<String, String> GOOD = Map.of(
            "spark.master", "spark://driver:7077",
            "spark.task.maxFailures", "1000",
            "spark.executor.cores", "2",
            "spark.task.cpus", "2");

    private static SparkSettings with(String... more) {
        Map<String, String> values = new HashMap<>(GOOD);
        for (int i = 0; i < more.length; i += 2) {
            values.put(more[i], more[i + 1]);
        }
        return new SparkSettings(values);
    }

    private static SparkSettings without(String name) {
        Map<String, String> values = new HashMap<>(GOOD);
        values.remove(name);
        return new SparkSettings(values);
    }

    @Test
    void allThatIsNeeded_isNoViolation() {
        assertThat(with().violations(4)).isEmpty();
        assertThat(with().taskCpus()).isEqualTo(2);
        assertThat(without("spark.task.cpus").taskCpus()).isOne();
    }

    @ParameterizedTest
    @CsvSource({
        "spark.task.maxFailures, 4, at least 100",
        "spark.speculation, true, false",
        "spark.excludeOnFailure.enabled, true, false",
        "spark.excludeOnFailure.application.enabled, TRUE, false",
        "spark.task.cpus, 1, more than half of spark.executor.cores = 2",
        "spark.cores.max, 7, for at least 4 executors",
        "spark.executor.instances, 3, for at least 4 executors",
        "spark.master, local[2], a cluster",
        "spark.master, local, a cluster",
    })
    void settingThatBreaksElasticity_isNamedWithItsValueAndWhatIsExpected(String name, String value, String expected) {
        assertThat(with(name, value).violations(4)).singleElement().satisfies(violation -> assertThat(violation)
                .startsWith(name + ": " + value + " (expected: ")
                .contains(expected));
    }

    @Test
    void settingsThatAreMissing_haveSparksDefault() {
        assertThat(without("spark.task.maxFailures").violations(1))
                .singleElement()
                .satisfies(
                        violation -> assertThat(violation).startsWith("spark.task.maxFailures: not set (expected: "));
        assertThat(without("spark.task.cpus").violations(1))
                .singleElement()
                .satisfies(violation -> assertThat(violation).startsWith("spark.task.cpus: not set, so 1 (expected: "));
    }

    @Test
    void executorCores_missingOnAStandaloneCluster_isNamed_elsewhereAnExecutorHasOne() {
        assertThat(without("spark.executor.cores").violations(1))
                .singleElement()
                .satisfies(violation -> assertThat(violation).startsWith("spark.executor.cores: not set (expected: 2"));

        Map<String, String> onYarn =
                new HashMap<>(without("spark.executor.cores").values());
        onYarn.put("spark.master", "yarn");
        onYarn.put("spark.executor.maxNumFailures", "100");
        onYarn.remove("spark.task.cpus");
        assertThat(new SparkSettings(onYarn).violations(1)).isEmpty();
    }

    @Test
    void dynamicAllocation_itsMaximumCounts_andNotTheFirstNumber() {
        String[] dynamic = {
            "spark.dynamicAllocation.enabled", "true",
            "spark.executor.instances", "1",
            "spark.dynamicAllocation.maxExecutors", "4"
        };
        assertThat(with(dynamic).violations(4)).isEmpty();
        assertThat(with(dynamic).violations(5)).singleElement().satisfies(violation -> assertThat(violation)
                .startsWith("spark.dynamicAllocation.maxExecutors: 4 (expected: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn", "k8s://https://host:443"})
    void executors_missing_areTwo(String master) {
        SparkSettings settings = with("spark.master", master, "spark.executor.maxNumFailures", "100");
        assertThat(settings.violations(2)).isEmpty();
        String expected = "spark.executor.instances: not set, so 2 (expected: for at least 3 executors, ";
        assertThat(settings.violations(3)).containsExactly(expected + "the minimum of nodes)");
        assertThat(settings.tooFewExecutors(3, "the maximum of nodes"))
                .containsExactly(expected + "the maximum of nodes)");
        assertThat(with("spark.master", master, "spark.dynamicAllocation.enabled", "true")
                        .tooFewExecutors(3, "the maximum of nodes"))
                .isEmpty();
        assertThat(with().tooFewExecutors(3, "the maximum of nodes")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn", "k8s://https://host:443", "local-cluster[2,1,512]", "spark://a:1,b:1"})
    void clusters_areNoViolation(String master) {
        assertThat(with("spark.master", master, "spark.executor.maxNumFailures", "100")
                        .violations(1))
                .isEmpty();
    }

    /** Spark's own default is twice the number of executors, and at least three. */
    @ParameterizedTest
    @ValueSource(strings = {"yarn", "k8s://https://host:443"})
    void executorsThatMayBeLost_whereAnApplicationFailsByThem_areEnough(String master) {
        String setting = "spark.executor.maxNumFailures";
        assertThat(with("spark.master", master).violations(1)).singleElement().satisfies(violation -> assertThat(
                        violation)
                .startsWith(setting + ": not set (expected: at least 100"));
        assertThat(with("spark.master", master, setting, "99").violations(1))
                .singleElement()
                .satisfies(violation -> assertThat(violation).startsWith(setting + ": 99 (expected: at least 100"));
        String before = "spark.yarn.max.executor.failures";
        assertThat(with("spark.master", master, before, "10").violations(1))
                .singleElement()
                .satisfies(violation -> assertThat(violation).startsWith(before + ": 10 (expected: at least 100"));
        assertThat(with("spark.master", master, before, "100").violations(1)).isEmpty();
        assertThat(with("spark.master", master, "spark.executor.instances", "50")
                        .violations(1))
                .isEmpty();
        assertThat(with("spark.master", master, "spark.dynamicAllocation.enabled", "true")
                        .violations(1))
                .isEmpty();
        assertThat(with(
                                "spark.master",
                                master,
                                "spark.dynamicAllocation.enabled",
                                "true",
                                "spark.dynamicAllocation.maxExecutors",
                                "49")
                        .violations(1))
                .hasSize(1);
    }

    @Test
    void severalViolations_areAllReported() {
        assertThat(with("spark.speculation", "true", "spark.task.maxFailures", "1")
                        .violations(1))
                .hasSize(2);
    }
}
