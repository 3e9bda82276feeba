/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class RuntimeChecksTest {
    private static final Map<String, String> WORKERS =
            Map.of("MEET_HOST", "here", "MEET_RANK", "0", "MEET_SIZE", "2", "MINE", "1");

    /** A runtime that reserves three names. */
    public static final class Meeting implements FrameworkRuntimeProvider, FrameworkRuntime {
        @Override
        public String name() {
            return "meeting";
        }

        @Override
        public FrameworkRuntime create(String option) {
            return this;
        }

        @Override
        public Set<String> reservedNames() {
            return Set.of("MEET_HOST", "MEET_RANK", "MEET_SIZE");
        }

        @Override
        public PreparedRound open(RuntimeRound round) {
            return PreparedRound.EMPTY;
        }
    }

    @TempDir
    private Path path;

    @BeforeEach
    void offer() throws IOException {
        Path services = Files.createDirectories(path.resolve("META-INF/services"));
        Files.writeString(services.resolve(FrameworkRuntimeProvider.class.getName()), Meeting.class.getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"meeting", "meeting:option"})
    void reservedNames_areAllNamedAtOnce(String runtime) {
        assertThat(violations(runtime))
                .allSatisfy(violation -> assertThat(violation).contains("--runtime " + runtime + " "))
                .satisfiesExactly(
                        host -> assertThat(host).startsWith("--env MEET_HOST: "),
                        rank -> assertThat(rank).startsWith("--env MEET_RANK: "),
                        size -> assertThat(size).startsWith("--env MEET_SIZE: "));
    }

    @Test
    void none_reservesNothing() {
        assertThat(violations("none")).isEmpty();
    }

    @Test
    void unknownRuntime_isNamed() {
        assertThat(violations("tensor"))
                .singleElement()
                .asString()
                .startsWith("--runtime: tensor (expected: ")
                .endsWith(" meeting, none)");
    }

    private List<String> violations(String runtime) {
        LaunchConfig config = LaunchConfig.builder("true")
                .environment(WORKERS)
                .runtime(runtime)
                .unchecked();
        return RuntimeChecks.violations(config.workers(), path.toString());
    }
}
