/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class FrameworkRuntimesTest {
    private static final Set<String> DMLC =
            Set.of("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER");

    @TempDir
    private Path path;

    /** A runtime of somebody's own. */
    public static final class OwnProvider implements FrameworkRuntimeProvider {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public FrameworkRuntime create(String option) {
            return new FrameworkRuntime() {
                @Override
                public Set<String> reservedNames() {
                    return Set.of(option);
                }

                @Override
                public PreparedRound open(RuntimeRound round) {
                    return PreparedRound.EMPTY;
                }
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"none,false", "xgboost,true", "xgboost:own-tracker,false"})
    void of_builtIn_isFound(String choice, boolean serves) {
        FrameworkRuntime runtime = FrameworkRuntimes.of(choice, "");

        assertThat(runtime.servesMasterEndpoint()).isEqualTo(serves);
        assertThat(runtime.reservedNames()).isEqualTo(choice.equals("none") ? Set.of() : DMLC);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tensor", "", "xgboost:", "none:", ":own-tracker"})
    void of_unknown_isRefusedWithTheKnown(String choice) {
        assertThatThrownBy(() -> FrameworkRuntimes.of(choice, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--runtime: " + choice + " (expected: one of none, xgboost[:own-tracker])");
    }

    @ParameterizedTest
    @CsvSource({"xgboost:rank-0,xgboost[:own-tracker]", "none:x,no option"})
    void of_unknownOption_isRefused(String choice, String expected) {
        assertThatThrownBy(() -> FrameworkRuntimes.of(choice, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--runtime: " + choice + " (expected: " + expected + ")");
    }

    @Test
    void of_onAPathOfItsOwn_isFoundAndGetsItsOption() throws IOException {
        offer(OwnProvider.class.getName());

        assertThat(FrameworkRuntimes.of("own:a:b", path.toString()).reservedNames())
                .containsExactly("a:b");
        assertThatThrownBy(() -> FrameworkRuntimes.of("other", path.toString()))
                .hasMessage("--runtime: other (expected: one of none, own, xgboost[:own-tracker])");
    }

    @Test
    void of_classThatIsNotThere_isRefusedWithItsName() throws IOException {
        offer("nowhere.NoSuchRuntime");

        assertThatThrownBy(() -> FrameworkRuntimes.of("none", path.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.NoSuchRuntime");
    }

    @Test
    void none_anyRound_saysNothing() throws IOException {
        RuntimeRound.Node node = new RuntimeRound.Node("a", "10.0.0.1", 0, 2);
        RuntimeRound round = new RuntimeRound(3, List.of(node), node, "10.0.0.1", 5000, null, path, new byte[32]);

        assertThat(FrameworkRuntimes.of("none", "").open(round).values(1)).isEqualTo(Map.of());
    }

    @Test
    void round_thatIsNotOfTheNode_isNone() {
        RuntimeRound.Node node = new RuntimeRound.Node("a", "10.0.0.1", 0, 2);
        RuntimeRound.Node other = new RuntimeRound.Node("b", "10.0.0.2", 2, 2);

        assertThatThrownBy(() -> new RuntimeRound(3, List.of(node), other, "10.0.0.1", 5000, null, path, new byte[32]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("own: ");
    }

    private void offer(String className) throws IOException {
        Path services = Files.createDirectories(path.resolve("META-INF/services"));
        Files.writeString(services.resolve(FrameworkRuntimeProvider.class.getName()), className);
    }
}
