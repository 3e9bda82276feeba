/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs a Python interpreter on the PATH, as its users have one. */
final class ProgramKindTest {
    @TempDir
    private Path directory;

    @Test
    void script_isRunByTheInterpreter() throws Exception {
        Path script = Files.writeString(directory.resolve("train.py"), "print(1)\n");

        List<String> argv = commandLine(builder(script.toString()).arguments(List.of("--rank", "${local_rank}")), 3);

        assertThat(argv.get(0)).matches("/.*/python3?");
        assertThat(argv.subList(1, argv.size())).containsExactly("-u", script.toString(), "--rank", "3");
    }

    @Test
    void module_isRunByTheInterpreter() {
        List<String> argv = commandLine(
                builder("package.train").set(Settings.MODULE, true).arguments(List.of("x${local_rank}${local_rank}")),
                1);

        assertThat(argv.subList(1, argv.size())).containsExactly("-u", "-m", "package.train", "x11");
    }

    @Test
    void script_noPython_isExecuted() throws Exception {
        Path script = Files.writeString(directory.resolve("train.py"), "#!/bin/sh\n");

        assertThatThrownBy(() -> commandLine(builder(script.toString()).set(Settings.NO_PYTHON, true), 0))
                .hasMessageContaining("a file that can be executed");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(commandLine(builder(script.toString()).set(Settings.NO_PYTHON, true), 0))
                .containsExactly(script.toString());
    }

    @Test
    void script_absent_isNamed() {
        assertThatThrownBy(() -> builder("absent.py").build())
                .hasMessage("PROGRAM: absent.py (expected: a Python script that can be read)");
    }

    @Test
    void interpreter_isThatOfTheVariable_elseTheFirstOnThePath() throws Exception {
        Path python = Files.createFile(
                directory.resolve("python"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        String path = directory.toString();

        assertThat(ProgramKind.interpreter(Map.of("PATH", path))).contains(python.toString());
        assertThat(ProgramKind.interpreter(Map.of("PATH", path, "PYTHON_EXEC", "python")))
                .contains("python");
        assertThat(ProgramKind.interpreter(Map.of("PATH", path, "PYTHON_EXEC", "/opt/pypy")))
                .contains("/opt/pypy");
        assertThat(ProgramKind.interpreter(Map.of("PATH", path, "PYTHON_EXEC", "pypy")))
                .isEmpty();
        assertThat(ProgramKind.interpreter(Map.of("PATH", ""))).isEmpty();
    }

    private LaunchConfigBuilder builder(String program) {
        return LaunchConfig.builder(program).logDir(directory);
    }

    private List<String> commandLine(LaunchConfigBuilder builder, int localRank) {
        return WorkerProgram.commandLine(builder.build(), directory, List.of(), localRank);
    }
}
