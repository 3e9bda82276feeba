/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On files as kernels of both versions write them. */
final class OomWatcherTest {
    private static final int PID = 42;
    private static final long NEVER = 3_600_000;

    @TempDir
    private Path directory;

    private Path mounts = Path.of("");
    private OomWatcher watch = OomWatcher.start(Path.of(""), Path.of(""), NEVER);

    @BeforeEach
    void machine() throws IOException {
        mounts = Files.createDirectory(directory.resolve("cgroup"));
        write("proc/42/status", "Name:\tpython\nVmPeak:\t  900000 kB\nVmHWM:\t  204800 kB\nVmRSS:\t  1000 kB\n");
        kills(3);
        watch = OomWatcher.start(directory.resolve("proc"), mounts, NEVER);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void explain_counterOfItsSecondVersionGroupGrew_namesGroupLimitAndPeaks() throws IOException {
        write("proc/42/cgroup", "0::/jobs/7\n");
        write("cgroup/jobs/7/memory.max", "268435456\n");
        write("cgroup/jobs/7/memory.peak", "268431360\n");
        write("cgroup/jobs/7/memory.events", "low 0\nhigh 0\nmax 8\noom 1\noom_kill 0\noom_group_kill 0\n");
        watch.add(PID);

        write("cgroup/jobs/7/memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\noom_group_kill 0\n");

        assertThat(watch.explain(PID, 137))
                .hasValueSatisfying(text -> assertThat(text).contains("/jobs/7: ", "256 MiB", "255 MiB", "200 MiB"));
    }

    @Test
    void explain_counterOfItsFirstVersionGroupGrew_namesIt() throws IOException {
        write("proc/42/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/abc\n0::/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
        watch.add(PID);

        write("cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");

        assertThat(watch.explain(PID, 137))
                .hasValueSatisfying(text ->
                        assertThat(text).contains("/docker/abc", "200 MiB").doesNotContain("limit"));
    }

    @Test
    void explain_groupIsNotToBeRead_looksAtTheMachine() throws IOException {
        write("proc/42/cgroup", "0::/\n");
        watch.add(PID);

        kills(4);

        assertThat(watch.explain(PID, 137))
                .hasValueSatisfying(
                        text -> assertThat(text).startsWith("out of memory: ").doesNotContain("/jobs"));
    }

    @Tag("golden")
    @Test
    void explain_eachPlace_isAsInTheGoldenFile() throws IOException {
        write("proc/42/cgroup", "0::/jobs/7\n");
        write("cgroup/jobs/7/memory.max", "268435456\n");
        write("cgroup/jobs/7/memory.peak", "268431360\n");
        write("cgroup/jobs/7/memory.events", "oom_kill 0\n");
        watch.add(PID);
        write("cgroup/jobs/7/memory.events", "oom_kill 1\n");
        String inAGroup = watch.explain(PID, 137).orElseThrow();
        write("proc/42/cgroup", "0::/\n");
        watch.add(PID);
        kills(4);
        GoldenFile.of(OomWatcherTest.class, "out-of-memory.txt")
                .add("a control group", inAGroup)
                .add("the machine", watch.explain(PID, 137).orElseThrow())
                .assertSame();
    }

    @Test
    void explain_killElsewhereOnTheMachine_isNotIts() throws IOException {
        write("proc/42/cgroup", "0::/jobs/7\n");
        write("cgroup/jobs/7/memory.events", "oom_kill 1\n");
        watch.add(PID);

        kills(4);

        assertThat(watch.explain(PID, 137)).isEmpty();
    }

    @Test
    void explain_anotherEndOrNoKill_isNoLackOfMemory() throws IOException {
        write("proc/42/cgroup", "0::/\n");
        watch.add(PID);
        assertThat(watch.explain(PID, 137)).isEmpty();

        watch.add(PID);
        kills(4);
        assertThat(watch.explain(PID, 1)).isEmpty();
    }

    @Test
    void explain_looksWhileTheKilledProcessHasNotEnded_changeNothing() throws IOException {
        write("proc/42/cgroup", "4:memory:/docker/abc\n0::/\n");
        write("cgroup/memory/docker/abc/memory.limit_in_bytes", "268435456\n");
        write("cgroup/memory/docker/abc/memory.oom_control", "under_oom 0\noom_kill 4\n");
        write("cgroup/memory/memory.oom_control", "under_oom 0\noom_kill 0\n");
        watch.add(PID);

        write("cgroup/memory/docker/abc/memory.oom_control", "under_oom 0\noom_kill 5\n");
        write("proc/42/status", "VmHWM:\t  262000 kB\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000100\n");
        assertThat(watch.look(PID)).isTrue();
        assertThat(watch.look(PID)).isTrue();
        // A group of the first version has no process any more that ends.
        write("proc/42/cgroup", "4:memory:/\n0::/\n");
        watch.look(PID);

        assertThat(watch.explain(PID, 137))
                .hasValueSatisfying(text -> assertThat(text).contains("/docker/abc: limit 256 MiB"));
        assertThat(watch.look(PID)).isFalse();
    }

    private void kills(int count) throws IOException {
        write("proc/vmstat", "nr_free_pages 1\noom_kill " + count + "\nthp_fault_alloc 0\n");
    }

    private void write(String file, String content) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.resolve("..").normalize());
        Files.writeString(path, content);
    }
}
