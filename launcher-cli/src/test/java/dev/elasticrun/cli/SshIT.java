/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many hosts that this one stands for: a program in place of OpenSSH's client executes here what it is given. */
@Tag("once")
@Timeout(120)
final class SshIT {
    private static final int HOSTS = 24;
    private static final int DRAINED = 143;

    @TempDir
    private Path directory;

    /** The first host has the signal sent as soon as it is reached. */
    @Test
    void terminated_whileHostsAreConnected_thoseThatComeLaterAreDrainedToo() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("bin"));
        executable(
                programs.resolve("ssh"),
                "case \"$*\" in *' host-0 '*) kill -s TERM \"$PPID\" ;; esac",
                "for command; do :; done",
                "exec sh -c \"$command\"");
        Path agent = executable(directory.resolve("agent"), "while :; do sleep 0.2; done");
        Path hosts = Files.write(
                directory.resolve("hosts"),
                IntStream.range(0, HOSTS).mapToObj(host -> "host-" + host).toList());

        try (Script script = Script.start(
                directory,
                Map.of("PATH", programs + File.pathSeparator + System.getenv("PATH")),
                "ssh",
                "--hosts",
                hosts.toString(),
                "--launcher",
                agent.toString(),
                "app.jar")) {
            assertThat(script.exitCode()).as(script.err()).isEqualTo(DRAINED);
        }
    }

    private static Path executable(Path file, String... lines) throws IOException {
        Files.write(file, List.of("#!/bin/sh", String.join("\n", lines)));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
