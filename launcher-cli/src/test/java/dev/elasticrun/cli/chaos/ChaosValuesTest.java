/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.chaos.fault.NetFaults;
import dev.elasticrun.cli.chaos.report.GoodputForecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChaosValuesTest {
    private final List<String> violations = new ArrayList<>();

    @Test
    void parse_nothing_isTheDefault() {
        ChaosOptions options = parse(Map.of());

        assertThat(violations).isEmpty();
        assertThat(options.weather().weights())
                .isEqualTo(
                        Map.of(FaultKind.WORKER, 85, FaultKind.HANG, 5, FaultKind.NODE, 5, FaultKind.COORDINATOR, 5));
        assertThat(options.weather().every()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.weather().length()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.weather().seed()).isEqualTo(17);
        assertThat(options.calm()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.agents()).isZero();
        assertThat(options.replaceAfter()).isZero();
        assertThat(options.output()).isEmpty();
        assertThat(options.compare()).isEmpty();
        assertThat(options.minGoodput()).isZero();
        assertThat(options.forecast()).isEqualTo(GoodputForecast.DEFAULTS);
    }

    @Test
    void parse_allFlags_areTaken() {
        ChaosOptions options = parse(Map.of(
                "--faults", "worker=1,node=2",
                "--every", "500ms",
                "--for", "1h",
                "--seed", "99",
                "--agents", "4",
                "--compare", "cat model.json",
                "--min-goodput", "0.8",
                "--forecast", "mtbf=6h,nodes=100",
                "--output", "out"));

        assertThat(violations).isEmpty();
        assertThat(options.weather().weights()).isEqualTo(Map.of(FaultKind.WORKER, 1, FaultKind.NODE, 2));
        assertThat(options.weather().seed()).isEqualTo(99);
        assertThat(options.compare()).contains("cat model.json");
        assertThat(options.minGoodput()).isEqualTo(0.8);
        assertThat(options.forecast()).containsExactly(new GoodputForecast.Case(Duration.ofHours(6), 100));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "--faults worker",
                "--faults fire=1",
                "--faults worker=1,worker=2",
                "--faults worker=-1",
                "--faults worker=0",
                "--every soon",
                "--every 10ms",
                "--for 0s",
                "--seed -1",
                "--seed abc",
                "--calm 1s",
                "--agents 0",
                "--agents 65",
                "--agents two",
                "--replace-after x",
                "--min-goodput 80%",
                "--min-goodput 1.5",
                "--forecast mtbf=6h",
                "--forecast nodes=100,mtbf=6h",
                "--forecast mtbf=0s,nodes=100",
                "--forecast mtbf=6h,nodes=0",
                "--net loss=2",
                "--net loss=0%",
                "--net loss=100%",
                "--net loss=0.05%",
                "--net loss=-1%",
                "--net delay=0s",
                "--net delay=soon",
                "--net partition=2s,partition=3s",
                "--net storm=2s",
                "--net ''",
                "--faults worker=1,partition=1"
            })
    void parse_wrongValue_isNamed(String flag, String value) {
        parse(Map.of(flag, value));

        assertThat(violations).singleElement().asString().startsWith(flag + ": " + value + " (expected: ");
    }

    @Test
    void parse_net_isTaken_andPartitionsAreOneMoreKind() {
        ChaosOptions options = parse(Map.of("--net", "loss=0.5%,delay=20ms,partition=2s"));

        assertThat(violations).isEmpty();
        assertThat(options.net()).isEqualTo(new NetFaults(5, Duration.ofMillis(20), Duration.ofSeconds(2)));
        assertThat(options.weather().weights())
                .containsEntry(FaultKind.PARTITION, 5)
                .containsEntry(FaultKind.WORKER, 85)
                .hasSize(5);
    }

    @Test
    void parse_net_weightOfPartitions_isThatOfFaults() {
        assertThat(parse(Map.of("--net", "partition=2s", "--faults", "node=1,partition=3"))
                        .weather()
                        .weights())
                .isEqualTo(Map.of(FaultKind.NODE, 1, FaultKind.PARTITION, 3));
        assertThat(parse(Map.of("--net", "loss=10%", "--faults", "node=1"))
                        .weather()
                        .weights())
                .isEqualTo(Map.of(FaultKind.NODE, 1));
        assertThat(violations).isEmpty();
    }

    @Test
    void parse_wrongNet_isNotHeldAgainstFaults() {
        parse(Map.of("--net", "partition=x", "--faults", "partition=3"));

        assertThat(violations).singleElement().asString().startsWith("--net: partition=x (expected: ");
    }

    @Test
    void parse_severalWrong_areAllNamed() {
        parse(Map.of("--every", "x", "--seed", "x", "--compare", " "));

        assertThat(violations).hasSize(3);
    }

    private ChaosOptions parse(Map<String, String> flags) {
        return ChaosValues.parse(flag -> Optional.ofNullable(flags.get(flag)), () -> 17, violations);
    }
}
