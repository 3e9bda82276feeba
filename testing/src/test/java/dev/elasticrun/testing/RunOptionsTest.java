/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunOptionsTest {
    /** Is no test of this module: its name has none of the suffixes. */
    static final class Annotated {
        @ElasticRunTest(nodes = 3, workersPerNode = 1, policy = "hard", flags = "--spare-workers", patienceSeconds = 5)
        void test() {}
    }

    @Test
    void options_ofTheAnnotation_areItsValues() throws NoSuchMethodException {
        ElasticRunTest annotation = Annotated.class.getDeclaredMethod("test").getAnnotation(ElasticRunTest.class);

        assertThat(RunOptions.of(annotation))
                .isEqualTo(new RunOptions(3, 1, "hard", List.of("--spare-workers"), Map.of(), Duration.ofSeconds(5)));
    }

    @Test
    void line_flagsOfTheTestComeLast() {
        RunOptions options = RunOptions.DEFAULTS.withFlags(List.of("--nnodes", "2:2"));

        assertThat(options.line(List.of("--class-path", "more")))
                .containsExactly(
                        "--nnodes",
                        "1:2",
                        "--nproc-per-node",
                        "2",
                        "--restart-policy",
                        "soft-elastic",
                        "--max-restarts",
                        "3",
                        "--class-data",
                        "off",
                        "--class-path",
                        "more",
                        "--nnodes",
                        "2:2");
    }

    @Test
    void variables_optionsOfTheJvm_areSmallUnlessTheTestsHaveThem() {
        RunOptions options = RunOptions.DEFAULTS.withVariable("COLOUR", "blue");

        assertThat(options.variables(Map.of()))
                .containsEntry("COLOUR", "blue")
                .containsEntry("ELASTICRUN_JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        assertThat(options.variables(Map.of("ELASTICRUN_JAVA_OPTS", "-Xmx1g")))
                .doesNotContainKey("ELASTICRUN_JAVA_OPTS");
    }

    @Test
    void values_outOfRange_areRefused() {
        assertThatThrownBy(() -> ElasticRunExtension.ofNodes(0)).hasMessage("nodes: 0 (expected: 1 or more)");
        assertThatThrownBy(() -> ElasticRunExtension.ofNodes(1).workersPerNode(-1))
                .hasMessage("workersPerNode: -1 (expected: 1 or more)");
        assertThatThrownBy(() -> ElasticRunExtension.ofNodes(1).patience(Duration.ZERO))
                .hasMessage("patience: PT0S (expected: more than zero)");
    }

    @Test
    void program_withoutMain_isRefused() {
        assertThatThrownBy(() -> ProgramJar.write(java.nio.file.Path.of("never.jar"), RunOptionsTest.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mainClass: " + RunOptionsTest.class.getName()
                        + " (expected: a class with public static void main(String[]))");
    }
}
