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
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class FrameworkRuntimesTest {
    private static final RuntimeRound.Master MASTER = new RuntimeRound.Master("10.0.0.1", 5000, null);

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

        @Override
        public boolean hasEventLoop(long pid) {
            return pid == 7;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tensor", "", "none:", ":option"})
    void of_unknown_isRefusedWithTheKnown(String choice) {
        assertThatThrownBy(() -> FrameworkRuntimes.of(choice, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--runtime: " + choice + " (expected: one of none)");
    }

    @Test
    void of_unknownOption_isRefused() {
        assertThatThrownBy(() -> FrameworkRuntimes.of("none:x", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--runtime: none:x (expected: no option)");
    }

    @Test
    void of_onAPathOfItsOwn_isFoundAndGetsItsOption() throws IOException {
        offer(OwnProvider.class.getName());

        assertThat(FrameworkRuntimes.of("own:a:b", path.toString()).chosen().reservedNames())
                .containsExactly("a:b");
        assertThatThrownBy(() -> FrameworkRuntimes.of("other", path.toString()))
                .hasMessage("--runtime: other (expected: one of none, own)");
    }

    @Test
    void hasEventLoop_ofOneThatIsNotChosen_isKnown() throws IOException {
        offer(OwnProvider.class.getName());

        FrameworkRuntimes runtimes = FrameworkRuntimes.of("none", path.toString());

        assertThat(runtimes.hasEventLoop(7)).isTrue();
        assertThat(runtimes.hasEventLoop(8)).isFalse();
        assertThat(FrameworkRuntimes.of("none", "").hasEventLoop(7)).isFalse();
    }

    @Test
    void of_classThatIsNotThere_isRefusedWithItsName() throws IOException {
        offer("nowhere.NoSuchRuntime");

        assertThatThrownBy(() -> FrameworkRuntimes.of("none", path.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.NoSuchRuntime");
    }

    @Test
    void none_anyRound_reportsNothing() throws IOException {
        RuntimeRound.Node node = new RuntimeRound.Node("a", "10.0.0.1", 0, 2);
        RuntimeRound round = new RuntimeRound(3, List.of(node), node, MASTER, path, new byte[32]);

        FrameworkRuntime none = FrameworkRuntimes.of("none", "").chosen();

        assertThat(none.open(round).values(1)).isEqualTo(Map.of());
        assertThat(none.reservedNames()).isEmpty();
        assertThat(none.servesMasterEndpoint()).isFalse();
    }

    @Test
    void round_thatIsNotOfTheNode_isNone() {
        RuntimeRound.Node node = new RuntimeRound.Node("a", "10.0.0.1", 0, 2);
        RuntimeRound.Node other = new RuntimeRound.Node("b", "10.0.0.2", 2, 2);

        assertThatThrownBy(() -> new RuntimeRound(3, List.of(node), other, MASTER, path, new byte[32]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("own: ");
    }

    private void offer(String className) throws IOException {
        Path services = Files.createDirectories(path.resolve("META-INF/services"));
        Files.writeString(services.resolve(FrameworkRuntimeProvider.class.getName()), className);
    }
}
