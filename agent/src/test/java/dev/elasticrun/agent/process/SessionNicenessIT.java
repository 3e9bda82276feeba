/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sessions, without the right that lets root write their niceness as often as it likes. */
@Timeout(60)
final class SessionNicenessIT {
    private static final List<String> WITHOUT_THE_RIGHT =
            List.of("setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin");
    private static final int SESSIONS = 4;

    /** Lowers sessions, then raises all of them at once; prints their niceness. */
    static final class Raiser {
        private Raiser() {}

        public static void main(String[] arguments) throws Exception {
            Path proc = Path.of("/proc");
            SessionNiceness niceness = new SessionNiceness(proc);
            List<Process> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                List<String> command = new ArrayList<>(List.of("setsid"));
                command.addAll(niceness.lowering("/bin/sh", 10));
                command.addAll(List.of("cat"));
                sessions.add(new ProcessBuilder(command).start());
            }
            for (Process session : sessions) {
                niceness.raise(session.pid());
                System.out.println("niceness " + of(proc.resolve(Long.toString(session.pid()))));
                session.destroy();
            }
        }
    }

    @Test
    void raise_severalSessionsAtOnce_waitsAsTheKernelDemands() throws Exception {
        List<String> command = new ArrayList<>(isRoot() ? WITHOUT_THE_RIGHT : List.of());
        command.addAll(TestJvm.command(List.of(), Raiser.class));

        Process raiser = new ProcessBuilder(command).redirectErrorStream(true).start();

        String output = new String(raiser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(raiser.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.startsWith("niceness ")))
                .as(output)
                .hasSize(SESSIONS)
                .containsOnly("niceness " + of(Path.of("/proc/self")));
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    // A process that descends from the kernel's first one without a session between them is in no group.
    private static String of(Path process) throws IOException {
        Path group = process.resolve("autogroup");
        if (!Files.exists(group)) {
            return "none";
        }
        String niceness = Files.readString(group).replaceAll("^.* ", "").strip();
        return niceness.isEmpty() ? "0" : niceness;
    }
}
