/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.worker.contract.Heartbeat;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class HangReportTest {
    private static final HangState.Hang HANG =
            new HangState.Hang(seen("", true, "main"), 12_340_000_000L, 10_000_000_000L, 200_000_000L);

    private static final ThreadDump DUMP = new ThreadDump("""
            Full thread dump OpenJDK 64-Bit Server VM:

            "main" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable
               java.lang.Thread.State: RUNNABLE
            	at java.lang.Object.wait(java.base@17/Native Method)
            	- waiting on <0x1> (a java.lang.Object)
            	at app.Loop.spin(Loop.java:12)
            	at app.Main.main(Main.java:3)

            "mainland" #2 prio=5 tid=0x2
            	at app.Other.run(Other.java:1)

            JNI global refs: 14, weak refs: 0
            """);

    @Test
    void describe_aThreadThatRuns_namesStepTimesAndCall() {
        assertThat(HangReport.describe(HANG, false, DUMP, DUMP.framesOf("main")))
                .contains("12.3 s", "step 17", "10.0 s", "0.2 s", "app.Loop.spin(Loop.java:12)");
    }

    @Test
    void describe_aProcessThatIsStopped_reportsIt() {
        assertThat(HangReport.describe(HANG, true, new ThreadDump(""), List.of()))
                .endsWith("(SIGSTOP)");
    }

    @Test
    void describe_aDeadlock_reportsIt() {
        ThreadDump deadlock = new ThreadDump("Full thread dump\nFound one Java-level deadlock:\n");
        assertThat(HangReport.describe(HANG, false, deadlock, List.of())).endsWith("(deadlock)");
    }

    @Test
    void describe_aSection_namesIt() {
        HangState.Hang hang = new HangState.Hang(seen("load", false, ""), 2_000_000_000L, 1_000_000_000L, 0);
        assertThat(HangReport.describe(hang, false, new ThreadDump(""), List.of()))
                .contains("2.0 s", "load", "1.0 s");
    }

    @Tag("golden")
    @Test
    void describe_eachFinding_isAsInTheGoldenFile() throws IOException {
        ThreadDump nothing = new ThreadDump("");
        ThreadDump deadlock = new ThreadDump("Full thread dump\nFound one Java-level deadlock:\n");
        HangState.Hang section = new HangState.Hang(seen("load", false, ""), 2_000_000_000L, 1_000_000_000L, 0);
        GoldenFile golden = GoldenFile.of(HangReportTest.class, "hangs.txt")
                .add("a thread that runs", HangReport.describe(HANG, false, DUMP, DUMP.framesOf("main")))
                .add("a process that is stopped", HangReport.describe(HANG, true, nothing, List.of()))
                .add("a deadlock", HangReport.describe(HANG, false, deadlock, List.of()))
                .add("a JVM that does not answer", HangReport.describe(HANG, false, nothing, List.of()))
                .add("a section", HangReport.describe(section, false, nothing, List.of()));
        for (StragglerState.EventLoop loop : StragglerState.EventLoop.values()) {
            StragglerState.Straggler straggler = new StragglerState.Straggler(
                    seen("boost", true, "main"), 5, 3_200_000_000L, 3_000_000_000L, 200_000_000L, loop, 0);
            golden.add("a straggler, event loop " + loop, HangReport.describe(straggler, false, nothing, List.of()));
        }
        golden.assertSame();
    }

    @Test
    void framesOf_thread_areItsOwn() {
        assertThat(DUMP.framesOf("main")).hasSize(4).last().asString().contains("Main.java:3");
        assertThat(DUMP.framesOf("mainland")).hasSize(1);
        assertThat(DUMP.framesOf("nobody")).isEmpty();
    }

    private static Heartbeat.View seen(String section, boolean isJvm, String thread) {
        return new Heartbeat.View(
                0,
                0,
                isJvm,
                thread,
                new Heartbeat.View.Progress(17, 0, 0),
                new Heartbeat.View.Section(section.isEmpty() ? 0 : 1, section, 0, false, 0));
    }
}
