/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class TimeoutHierarchyTest {
    @TempDir
    private Path directory;

    private LaunchConfig config(UnaryOperator<LaunchConfigBuilder> change) {
        return change.apply(LaunchConfig.builder("true").logDir(directory)).build();
    }

    @Test
    void violations_defaults_areNone() {
        assertThat(TimeoutHierarchy.of(config(builder -> builder).times()).violations())
                .isEmpty();
    }

    @Test
    void violations_bounds_areAllowed() {
        LaunchConfig config = config(builder -> builder.leaseTtl(Duration.ofSeconds(6))
                .heartbeatInterval(Duration.ofSeconds(2))
                .peerTimeout(Duration.ofMillis(6001))
                .storeTimeout(Duration.ofMillis(6001)));

        assertThat(TimeoutHierarchy.of(config.times()).violations()).isEmpty();
    }

    @Test
    void operationTimeout_zero_isNoneAndNotListed() {
        TimeoutHierarchy none = TimeoutHierarchy.of(
                config(builder -> builder.operationTimeout(Duration.ZERO)).times());

        assertThat(none.violations()).isEmpty();
        assertThat(none.describe()).doesNotContain("operation");
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                violation(
                        "--lease-ttl: 1999ms (expected: at least 2s)",
                        builder -> builder.leaseTtl(Duration.ofMillis(1999))),
                violation(
                        "--heartbeat-interval: 49ms (expected: at least 50ms)",
                        builder -> builder.heartbeatInterval(Duration.ofMillis(49))),
                violation(
                        "--heartbeat-interval: 1001ms (expected: at most 1s, a third of --lease-ttl 3s)",
                        builder -> builder.heartbeatInterval(Duration.ofMillis(1001))),
                violation(
                        "--peer-timeout: 40s (expected: more than --lease-ttl 40s, after which a silent node is out anyway)",
                        builder -> builder.peerTimeout(Duration.ofSeconds(40)).leaseTtl(Duration.ofSeconds(40))),
                violation(
                        "--operation-timeout: 30s (expected: 0s or more than --peer-timeout 30s, after which a dead peer is"
                                + " distinguished from a slow one)",
                        builder -> builder.operationTimeout(Duration.ofSeconds(30))),
                violation(
                        "--store-timeout: 3s (expected: more than --lease-ttl 3s, up to which an outage is not even noticed)",
                        builder -> builder.storeTimeout(Duration.ofSeconds(3))));
    }

    private static Arguments violation(String expected, UnaryOperator<LaunchConfigBuilder> change) {
        return Arguments.of(expected, change);
    }

    @ParameterizedTest
    @MethodSource
    void violations(String expected, UnaryOperator<LaunchConfigBuilder> change) {
        assertThatThrownBy(() -> config(change))
                .isInstanceOf(LaunchConfigException.class)
                .hasMessage(expected);
    }

    @Tag("golden")
    @Test
    void describe_defaults_isInTheOrderOfTheTimes() throws IOException {
        GoldenFile.of(TimeoutHierarchyTest.class, "timeouts.txt")
                .add(
                        "defaults",
                        TimeoutHierarchy.of(config(builder -> builder).times()).describe())
                .assertSame();
    }
}
