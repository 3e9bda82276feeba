/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JavaVerdictTest {
    private static final Path JAVA = Path.of("/opt/jdk/bin/java");

    @ParameterizedTest
    @CsvSource({"17.0.9, OK", "21, OK", "25-ea, OK", "11.0.2, ERROR", "1.8.0_292, ERROR", "x, ERROR"})
    void workers_byVersion_needSeventeen(String version, Health expected) {
        Check check = JavaVerdict.ofWorkers(new JavaProbe.Answer(JAVA, version, ""));

        assertThat(check.health()).isEqualTo(expected);
        assertThat(check.found()).isEqualTo(version + " of " + JAVA);
    }

    @Test
    void answer_ofAJava_isItsVersion() {
        assertThat(JavaProbe.answer(JAVA, 0, "openjdk version \"17.0.9\" 2023-10-17\nOpenJDK Runtime")
                        .version())
                .isEqualTo("17.0.9");
    }

    @Test
    void answer_ofAnotherProgram_reportsWhatItPrinted() {
        JavaProbe.Answer answer = JavaProbe.answer(JAVA, 1, "no such option\n");

        assertThat(answer.trouble()).isEqualTo("it ended with exit code 1 and printed: no such option");
        assertThat(JavaVerdict.ofWorkers(answer).health()).isEqualTo(Health.ERROR);
    }

    @Test
    void ask_aRealJava_hasAVersion() {
        Path own = Path.of(System.getProperty("java.home"), "bin", "java");

        assertThat(JavaVerdict.ofWorkers(JavaProbe.ask(own)).health()).isEqualTo(Health.OK);
    }

    @Test
    void ask_whatIsNotThere_reportsIt() {
        JavaProbe.Answer answer = JavaProbe.ask(Path.of("/nowhere/java"));

        assertThat(answer.version()).isEmpty();
        assertThat(answer.trouble()).contains("cannot be executed", "/nowhere/java");
    }
}
